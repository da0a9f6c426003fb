import { accepts } from '../accepts.ts';
import type { Caller } from '../calls/call.ts';
import { type OtherMessages, PostriderError, WaitTimeoutError } from '../errors.ts';
import type { Message } from '../generated/types.ts';
import { type FollowedMail, type MailFilters, MailFollower } from '../streams/follow-mail.ts';
import type { After } from '../streams/mail-place.ts';
import type { PersistentRequests } from '../streams/persistent-requests.ts';
import { type WaitLimits, WaitTime } from './wait-time.ts';
import { type DeliveryWatch, watchThread } from './watch-delivery.ts';

/** How long to wait, and where to begin. */
export interface WaitOptions extends WaitLimits {
  /**
   * Where to begin: after a message or its id, or at a time of the server's clock, such as the `created_at`
   * of an inbox. Mail that arrived after that place but before the call counts too. Default: the moment of
   * the call.
   */
  after?: After | undefined;
}

/** The parameters of `messages.waitFor`: the filters of `messages.list`, and how long to wait. */
export interface WaitForMessage extends MailFilters, WaitOptions {
  /**
   * Returns whether a message is the one to wait for. It must not return a promise. Bodies are cut at 64 KiB.
   */
  match?: ((message: Message) => boolean) | undefined;
}

/**
 * Returns what is wanted from a message, or null if it is not the right one. It makes its requests through
 * `requests`.
 */
export type Find<Found> = (
  message: Message,
  requests: PersistentRequests,
) => Promise<Found | null> | Found | null;

/** The settings of a wait. */
export interface WaitSettings {
  time: WaitTime;
  /** A description of the wait besides the filters, for the error message. */
  what: string;
  /** Whether the newest match in earlier mail counts, and not the oldest. */
  prefersNewest?: boolean;
  /** Whether a message counts at once if its header has what is wanted, although the server has not read the rest yet. */
  takesHeader?: boolean;
  /** Ends the wait if the message that should be replied to has failed. */
  watch?: DeliveryWatch | undefined;
}

/**
 * Returns the first message that matches. Rejects with a `WaitTimeoutError` or an `AbortedError`, and for a thread
 * with a `DeliveryFailedError`.
 */
export async function waitForMessage(
  caller: Caller,
  { match, ...params }: WaitForMessage,
  limits: WaitLimits,
): Promise<Message> {
  const find = (message: Message) => (accepts(match, message) ? message : null);
  const what = match === undefined ? '' : ' that passes match';
  const time = new WaitTime(params, limits);
  const { thread_id } = params;
  const watch = thread_id === undefined ? undefined : watchThread(caller, thread_id, time.requests);
  return waitForFound(caller, params, find, { time, what, watch });
}

/**
 * Returns the result of `find` for the first inbound message for which it is not null. A message whose mail
 * the server has not parsed yet is checked again after parsing. If the wait ends first, it is checked as it
 * is.
 */
export async function waitForFound<Found>(
  caller: Caller,
  params: MailFilters & WaitOptions,
  find: Find<Found>,
  { time, what, prefersNewest = false, takesHeader = false, watch }: WaitSettings,
): Promise<Found> {
  const { after, timeout: _timeout, signal: _signal, ...filters } = params;
  const others: OtherMessages = { count: 0, last: null };
  const seen = new Set<string>();
  let unread: Found | null = null;
  const look = async ({ message, passes, isUnread }: FollowedMail) => {
    const found = passes ? await find(message, time.requests) : null;
    if (found !== null && (takesHeader || !isUnread)) return found;
    unread ??= found;
    others.count = seen.add(message.id).size;
    others.last = message;
    return null;
  };
  try {
    const follower = await MailFollower.open(caller, filters, after, time.requests);
    const there = prefersNewest && after !== undefined ? (await follower.there()).reverse() : [];
    for (const mail of there) {
      const found = await look(mail);
      if (found !== null) return found;
    }
    // The loop only ends by returning or throwing.
    for await (const mail of follower.follow(watch)) {
      const found = await look(mail);
      if (found !== null) return found;
    }
    throw new PostriderError('The log has ended.');
  } catch (error) {
    const failure = time.failureOf(error, `${describe(filters)}${what}`, others, watch?.status);
    if (unread !== null && failure instanceof WaitTimeoutError) return unread;
    throw failure;
  }
}

function describe(filters: MailFilters): string {
  const named = Object.entries(filters).filter(([, value]) => value !== undefined);
  const texts = named.map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return `inbound message${texts.length > 0 ? ` with ${texts.join(', ')}` : ''}`;
}
