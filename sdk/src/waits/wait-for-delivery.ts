import type { Caller } from '../calls/call.ts';
import { PostriderError } from '../errors.ts';
import type { DeliveryStatus, EventKind, Message, SendReceipt } from '../generated/types.ts';
import { LogReader } from '../streams/log-reader.ts';
import { type WaitLimits, WaitTime } from './wait-time.ts';
import { DeliveryWatch } from './watch-delivery.ts';

const kinds: EventKind[] = [
  'message.sent',
  'message.delivered',
  'message.bounced',
  'message.complained',
  'message.rejected',
];
/** The statuses of recipients that still wait for an outcome. */
const waiting: DeliveryStatus[] = ['queued', 'held', 'sending', 'deferred'];

/**
 * Returns a sent message once no recipient is pending and at least one is `sent` or `delivered`. Rejects with a
 * `DeliveryFailedError` once it has failed for all of its recipients.
 */
export async function waitForDelivery(
  caller: Caller,
  sent: Pick<SendReceipt, 'id'> | string,
  limits: WaitLimits,
): Promise<Message> {
  const id = typeof sent === 'string' ? sent : Object(sent).id;
  if (typeof id !== 'string' || id === '') {
    throw new PostriderError(
      'waitForDelivery needs the sent message, as messages.send() returned it, or its id.',
    );
  }
  const time = new WaitTime(limits);
  const { requests } = time;
  const read = () => requests.make((options) => caller.call('messages.get', { id }, options));
  const watch = new DeliveryWatch(read, ({ message_ref }) => message_ref === id);
  try {
    const after = await caller.newestEvent(requests);
    await watch.look([]);
    const log = new LogReader(caller, { events: kinds, inbox_id: watch.message?.inbox_id }, after, requests);
    while (isWaiting(watch.message)) await watch.look(await log.poll());
    if (watch.message?.direction === 'outbound') return watch.message;
  } catch (error) {
    throw time.failureOf(error, `delivery of ${id}`, undefined, watch.status);
  }
  throw new PostriderError(`${id} is a received message, so it has no delivery.`);
}

function isWaiting(message: Message | null): boolean {
  return message?.recipients.some(({ status }) => waiting.includes(status)) ?? false;
}
