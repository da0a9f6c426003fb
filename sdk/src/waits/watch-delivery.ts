/*
 * Watches the message that should be replied to, so that a wait for the reply ends once the message has failed for all
 * of its recipients. The log reports failures as they happen. The message itself is read when the wait begins, since it
 * may have failed before, and from time to time, because an unconfirmed delivery has no event.
 */
import type { Caller } from '../calls/call.ts';
import type { DeliveryStatus, Event, EventKind, Message } from '../generated/types.ts';
import type { LogWatch } from '../streams/follow-mail.ts';
import type { PersistentRequests } from '../streams/persistent-requests.ts';
import { findDeliveryFailure } from './delivery-failed-error.ts';

const failureKinds: EventKind[] = ['message.bounced', 'message.complained', 'message.rejected'];
/** The message is read again after this many milliseconds without an event about it. */
const lookAgainMs = 25_000;
/** The number of newest messages of a thread that are read. Some of them may be automatic replies. */
const newestItems = 5;

/** Throws a `DeliveryFailedError` once the message that should be replied to has failed. */
export class DeliveryWatch implements LogWatch {
  readonly kinds = failureKinds;
  /** The message when it was last read; null if there is none. */
  message: Message | null = null;
  /** The status of the message when it was last known. */
  status: DeliveryStatus | null = null;
  readonly #read: () => Promise<Message | null>;
  readonly #isAbout: (event: Event) => boolean;
  #readMs = Number.NEGATIVE_INFINITY;

  /** `read` returns the message, and `isAbout` whether an event may be about it. */
  constructor(read: () => Promise<Message | null>, isAbout: (event: Event) => boolean) {
    this.#read = read;
    this.#isAbout = isAbout;
  }

  async look(events: Event[]): Promise<void> {
    const isDue = performance.now() - this.#readMs >= lookAgainMs;
    if (!isDue && !events.some((event) => this.#isAbout(event))) return;
    const message = await this.#read();
    this.#readMs = performance.now();
    this.message = message;
    this.status = message?.delivery_status ?? null;
    const failure = message && findDeliveryFailure(message);
    if (failure) throw failure;
  }
}

/** Watches one sent message. */
export function watchMessage(caller: Caller, id: string, requests: PersistentRequests): DeliveryWatch {
  const read = () => requests.make((options) => caller.call('messages.get', { id }, options));
  return new DeliveryWatch(read, ({ message_ref }) => message_ref === id);
}

/** Watches the newest message of a thread, automatic replies aside, as long as it is a sent one. */
export function watchThread(caller: Caller, threadId: string, requests: PersistentRequests): DeliveryWatch {
  const query = { thread_id: threadId, limit: newestItems };
  // The caller may have the id of a thread that was merged into another, which the log names.
  const ids = new Set([threadId]);
  const read = async () => {
    const { messages } = await requests.make((options) => caller.call('messages.list', { query }, options));
    for (const { thread_id } of messages) ids.add(thread_id);
    const newest = messages.find((message) => message.direction === 'outbound' || !message.auto_submitted);
    return newest?.direction === 'outbound' ? newest : null;
  };
  return new DeliveryWatch(read, ({ thread_id }) => thread_id !== null && ids.has(thread_id));
}
