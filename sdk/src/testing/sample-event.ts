import { sampleEvents } from '../generated/sample-events.ts';
import type { EventKind, Message } from '../generated/types.ts';
import type { EventOf } from '../streams/event-stream.ts';

/**
 * The fields of a sample event that a test sets. Fields of the message that are left out stay as in the
 * sample.
 */
export type EventOverrides<Kind extends EventKind> = Partial<Omit<EventOf<Kind>, 'event' | 'message'>> & {
  message?: Partial<Message> | null;
};

/**
 * Returns a complete event of this kind, as in a delivery or in the log, with the fields of `overrides`.
 *
 * @example
 * import { sampleEvent } from 'postrider/testing';
 *
 * const event = sampleEvent('message.received', { message: { subject: 'Invoice 17' } });
 */
export function sampleEvent<Kind extends EventKind>(
  kind: Kind,
  overrides: EventOverrides<Kind> = {},
): EventOf<Kind> {
  const sample = structuredClone(sampleEvents[kind]);
  const { message: fields = {}, ...others } = overrides;
  const message = fields === null || sample.message === null ? null : { ...sample.message, ...fields };
  return { ...sample, ...others, message };
}
