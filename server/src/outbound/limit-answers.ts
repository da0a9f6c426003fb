/*
 * Two machines that answer everything would answer each other for ever. So an inbox sends 20 answers in 10 minutes to one address; the next
 * one is 429 with the reason `loop`. An address with all its plus tags has five times as many, because a relay or a help desk has a tag for
 * each of its conversations. A thread has 20 for each correspondent who wrote into it in this time, up to five times as many, because the
 * answers to an announcement share its thread.
 *
 * A message of any kind (a send, a reply, a forward, a draft) is an answer in a conversation if the conversation has a received message of
 * the last 10 minutes that no message before has answered. Each answers the number of one: after 3 received messages the first 3 sent ones
 * are answers and the fourth is none. So any number of messages may go to someone who is silent, an inbox that catches up with the mail of
 * a night sends it all, and an exchange of machines is stopped however many of their messages are under way at once. Whether the received
 * mail is automatic does not matter, because a machine that needs this limit does not mark its mail. `force` does not lift it.
 *
 * The database has the truth, so the limit holds for all processes together. Sends at the same moment do not see each other: the limit may
 * be exceeded by what is under way. A deleted message counts no more.
 */
import { limits } from '@postrider/contract';
import type { Context } from '../context.ts';
import { tooManyAnswers } from '../lib/api-error.ts';
import { stripPlusTag } from '../lib/email-address.ts';
import { firstIdAt } from '../lib/ids.ts';
import { idHashes } from '../messages/store/store-call.ts';

/** Tells which thread a message will join. */
export interface Conversation {
  threadId: string | null;
  /** The Message-IDs by which the thread is found if it is not known, best first. */
  namedIds: string[];
}

/** A conversation with as many answers as are allowed. */
export interface FullConversation {
  /** `tags` is an address with all its plus tags. */
  in: 'thread' | 'address' | 'tags';
  /** Null for a thread. */
  address: string | null;
  /** How many answers are allowed. */
  answers: number;
  /** When the oldest answer that counts was sent. */
  since: string;
}

/** All that a send names: what it answers, and its references. A message joins a thread by any of them. */
const namedIdsMax = limits.referencesMax + 1;

/** Returns the parameters of `answers_at_limit`, or null if no answers are to be counted. */
export function answerParameters(ctx: Context, conversation: Conversation | null, at: Date): object | null {
  const most = ctx.config.loopAnswersMax;
  if (conversation === null || most === null) return null;
  const { threadId, namedIds } = conversation;
  return {
    ...(threadId !== null && { thread_id: threadId }),
    ...(threadId === null && namedIds.length > 0 && { named: namedHashes(conversation) }),
    since: firstIdAt('msg', ctx.timeScale.before(at, limits.loopWindowMs)),
    most,
  };
}

/** Returns the hashes by which the thread of a conversation is found, best first. */
export function namedHashes({ namedIds }: Conversation): string[] {
  return idHashes(namedIds.slice(0, namedIdsMax));
}

/**
 * Checks that a message would not be one answer too many.
 *
 * @throws ApiError `rate_limited` with the reason `loop` and the time until the oldest answer is no longer counted.
 */
export function requireNoLoop(
  ctx: Context,
  full: FullConversation[],
  recipients: { address: string }[],
): void {
  const reached = full.find(({ in: kind, address }) => {
    if (kind === 'thread') return true;
    return recipients.some(({ address: to }) => (kind === 'tags' ? stripPlusTag(to) : to) === address);
  });
  if (!reached) return;
  const ends = ctx.timeScale.after(new Date(reached.since), limits.loopWindowMs);
  const message = `This inbox has sent ${reached.answers} answers ${wherePhrase(reached)} in 10 minutes, as machines do that answer each other: stop answering, or wait for \`retry_after_seconds\`.`;
  throw tooManyAnswers(Math.max(1, ends.getTime() - ctx.clock.now().getTime()), message);
}

function wherePhrase({ in: kind, address }: FullConversation): string {
  if (kind === 'thread') return 'in this thread';
  return kind === 'tags' ? `to ${address} with its plus tags` : `to ${address}`;
}
