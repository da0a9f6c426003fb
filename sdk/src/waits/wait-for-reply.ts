import { accepts } from '../accepts.ts';
import type { Caller } from '../calls/call.ts';
import { checkOptions } from '../check-options.ts';
import { PostriderError } from '../errors.ts';
import type { Message, SendReceipt } from '../generated/types.ts';
import { type WaitOptions, waitForFound } from './wait-for-message.ts';
import { WaitTime } from './wait-time.ts';
import { watchMessage } from './watch-delivery.ts';

/** The options of `messages.waitForReply`. */
export interface WaitForReply extends WaitOptions {
  /** Whether an automatic reply (RFC 3834), such as an out-of-office reply, counts. Default: false. */
  automatic?: boolean | undefined;
  /** Returns whether a reply is the one to wait for. It must not return a promise. */
  match?: ((message: Message) => boolean) | undefined;
}

/**
 * Returns the first reply in the thread of a message, even if it arrived before the call. Rejects with a
 * `DeliveryFailedError` once the message has failed for all of its recipients.
 */
export async function waitForReply(
  caller: Caller,
  sent: Pick<SendReceipt, 'id'> | string,
  options: WaitForReply,
): Promise<Message> {
  const id = typeof sent === 'string' ? sent : Object(sent).id;
  if (typeof id !== 'string' || id === '') {
    throw new PostriderError(
      'waitForReply needs the sent message, as messages.send() returned it, or its id.',
    );
  }
  checkOptions('waitForReply', options, ['timeout', 'signal', 'after', 'automatic', 'match']);
  const { automatic = false, match, after } = options;
  const time = new WaitTime(options);
  const { inbox_id, thread_id, message_id, created_at, delivery_status } = await time.requests
    .make((options) => caller.call('messages.get', { id }, options))
    .catch((error) => {
      throw time.failureOf(error, `reply to ${id}`);
    });
  const isReply = (message: Message) =>
    // A message that an inbox sends to itself arrives in the same thread.
    message.message_id !== message_id && (automatic || !message.auto_submitted) && accepts(match, message);
  // A thread that was merged into another is still found by its id.
  const thread = { inbox_id, thread_id, after: after ?? created_at };
  const find = (message: Message) => (isReply(message) ? message : null);
  const what = match === undefined ? '' : ' that passes match';
  const watch = watchMessage(caller, id, time.requests);
  watch.status = delivery_status;
  return waitForFound(caller, thread, find, { time, what, watch });
}
