/*
 * Two machines that answer everything would answer each other for ever. So an inbox sends 20 answers in 10 minutes in one thread, and as
 * many to one correspondent, whom an address without its plus tag stands for; the next one is 429 with the reason `loop`.
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
import { stripPlusTag } from '../lib/email-address.ts';
import { firstIdAt } from '../lib/ids.ts';
import { tooManyAnswers } from '../lib/rate-limited.ts';
import { idHashes } from '../messages/store/store-call.ts';

/** Tells which thread a message will join. */
export interface Conversation {
  threadId: string | null;
  /** The Message-IDs by which the thread is found if it is not known, best first. */
  namedIds: string[];
}

/** When the oldest answer that counts was sent, for `thread` and for each correspondent with too many of them. */
export type FullConversations = Record<string, string>;

const namedIdsMax = 50;

/** Returns the parameters of `answers_at_limit`, or none if no answers are to be counted. */
export function parametersOf(
  ctx: Context,
  conversation: Conversation | null,
  addresses: string[],
  at: Date,
): object {
  const most = ctx.config.loopAnswersMax;
  if (conversation === null || most === null) return {};
  return {
    thread_id: conversation.threadId,
    named: idHashes(conversation.namedIds.slice(0, namedIdsMax)),
    peers: [...new Set(addresses.map(stripPlusTag))],
    since: firstIdAt('msg', ctx.timeScale.before(at, limits.loopWindowMs)),
    most,
  };
}

/**
 * Checks that a message would not be one answer too many.
 *
 * @throws ApiError `rate_limited` with the reason `loop` and the time until the oldest answer is no longer counted.
 */
export function requireNoLoop(ctx: Context, full: FullConversations, addresses: string[]): void {
  const { thread } = full;
  if (thread !== undefined) throw loopUntil(ctx, thread, 'in this thread');
  for (const address of addresses) {
    const peer = stripPlusTag(address);
    const since = full[peer];
    if (since !== undefined) throw loopUntil(ctx, since, `to ${peer}`);
  }
}

function loopUntil(ctx: Context, since: string, where: string) {
  const ends = ctx.timeScale.after(new Date(since), limits.loopWindowMs);
  const message = `This inbox has sent ${ctx.config.loopAnswersMax} answers ${where} in 10 minutes, as machines do that answer each other: stop answering, or wait for \`retry_after_seconds\`.`;
  return tooManyAnswers(Math.max(1, ends.getTime() - ctx.clock.now().getTime()), message);
}
