import { type DroppedRecipient, limits } from '@postrider/contract';
import type { Context } from '../context.ts';
import { ApiError, tooManyAnswers } from '../lib/api-error.ts';
import { type NamedAddress, stripPlusTag } from '../lib/email-address.ts';
import { firstIdAt } from '../lib/ids.ts';
import { idHashes } from '../messages/store/store-message.ts';
import type { Controls } from '../policies/controls.ts';
import { decideRule, type MatchingRule, patternsFor } from '../rules/decide-rule.ts';

/** One recipient as the sender wrote it. */
export interface OutgoingRecipient extends NamedAddress {
  kind: 'to' | 'cc' | 'bcc';
}

/** The recipients that get a message, and those that are left out, with the reason. */
export interface Deliverable {
  recipients: OutgoingRecipient[];
  dropped: DroppedRecipient[];
}

/** The reasons not to send to an address: suppressions, outbound rules and policies. */
export interface Obstacles {
  /** The addresses that are suppressed. */
  suppressed: Set<string>;
  /** The outbound rules of the workspace that match any of the addresses. */
  rules: MatchingRule[];
  /** The policies, pauses and caps that people have set. */
  controls: Controls;
}

/**
 * Messages 2: leaves out recipients that are suppressed, blocked by a rule or not allowed by a policy, with the reason. An allow does not
 * lift a suppression.
 */
export function leaveOut(recipients: OutgoingRecipient[], obstacles: Obstacles): Deliverable {
  const left: Deliverable = { recipients: [], dropped: [] };
  for (const recipient of recipients) {
    const dropped = reasonToDrop(recipient.address, obstacles);
    if (dropped) left.dropped.push(dropped);
    else left.recipients.push(recipient);
  }
  return left;
}

/**
 * As `leaveOut`.
 *
 * @throws ApiError `no_deliverable_recipients`, with each recipient and its reason, if nobody is left.
 */
export function requireDeliverable(recipients: OutgoingRecipient[], obstacles: Obstacles): Deliverable {
  const deliverable = leaveOut(recipients, obstacles);
  if (deliverable.recipients.length > 0) return deliverable;
  throw new ApiError('no_deliverable_recipients', { blocked: deliverable.dropped });
}

function reasonToDrop(address: string, { suppressed, rules, controls }: Obstacles): DroppedRecipient | null {
  if (suppressed.has(address)) return { address, reason: 'suppressed' };
  const rule = decideRule(rules, address);
  if (rule?.kind === 'block') return { address, reason: 'rule', rule_id: rule.id };
  return isAllowedRecipient(controls, rules, address) ? null : { address, reason: 'policy' };
}

/** Returns whether every policy allows mail to an address. */
function isAllowedRecipient(controls: Controls, rules: readonly MatchingRule[], address: string): boolean {
  return controls.policies.every(({ lines: { recipients = 'anyone' } }) => {
    if (recipients === 'anyone') return true;
    if (recipients === 'known')
      return (controls.known ?? []).includes(address) || decideRule(rules, address)?.kind === 'allow';
    return patternsFor(address).some((pattern) => recipients.includes(pattern));
  });
}

/*
 * Two programs that reply to everything would reply to each other forever. An inbox can therefore send 20 replies in 10 minutes to one
 * address; the next one gets 429 with the reason `loop`. An address with all its plus tags has five times as many, because a relay or a
 * help desk has a tag for each of its conversations. A thread has 20 for each correspondent who wrote to it in this time, up to five times
 * as many, because the replies to an announcement share its thread.
 *
 * A message of any kind (a send, a reply, a forward, a draft) counts as a reply in a conversation if the conversation has a received
 * message of the last 10 minutes that has no reply yet. Each sent message is the reply to one received message: after 3 received messages,
 * the first 3 sent ones are replies, and the fourth is not. An inbox can thus write any number of messages to a person who does not reply,
 * and it can reply to all mail of the previous night. Two programs are stopped however many of their messages are in progress at once. The
 * limit also applies to received mail that is not marked as automatic, because a program that needs this limit does not mark its mail.
 * `force` does not lift it.
 *
 * The database has the counts, so the limit applies to all processes together. Sends at the same moment do not see each other, so messages
 * in progress may exceed the limit. A deleted message no longer counts.
 */

/** Names the thread that a message will join. */
export interface Conversation {
  threadId: string | null;
  /** The Message-IDs by which the thread is found if it is not known, best first. */
  namedIds: string[];
}

/** A conversation that has reached the limit of replies. */
export interface FullConversation {
  /** `tags` is an address with all its plus tags. */
  in: 'thread' | 'address' | 'tags';
  /** Null for a thread. */
  address: string | null;
  /** The maximum number of replies. */
  answers: number;
  /** The time at which the oldest reply that counts was sent. */
  since: string;
}

/** All messages that a send refers to: the original message and its references. A message joins a thread by any of them. */
const namedIdsMax = limits.referencesMax + 1;

/** Returns the parameters of `answers_at_limit`, or null if no replies are to be counted. */
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
 * Checks that a message would not be one reply too many.
 *
 * @throws ApiError `rate_limited` with the reason `loop` and the time until the oldest reply is no longer counted.
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
  const message = `This inbox has sent ${reached.answers} replies ${wherePhrase(reached)} in 10 minutes, as if two machines were replying to each other. Stop replying, or wait for \`retry_after_seconds\`.`;
  throw tooManyAnswers(Math.max(1, ends.getTime() - ctx.clock.now().getTime()), message);
}

function wherePhrase({ in: kind, address }: FullConversation): string {
  if (kind === 'thread') return 'in this thread';
  return kind === 'tags' ? `to ${address} with its plus tags` : `to ${address}`;
}
