/*
 * Where somebody stands in the mail of a workspace. The log has an order that never changes, so a place in it is an event. Mail that
 * was there before is read as a list, whose order is another one; until that is done a place also says how far it was given, and
 * which of its messages may still come in the log, because an event gets its place there a moment after its message can be read.
 */
import { PostriderError } from './errors.ts';
import type { Message } from './generated/types.ts';

/**
 * Where a wait or a stream of messages begins: behind a message or its id, from a time of the server on, or behind what a stream
 * gave as its `cursor` or the id of an event.
 */
export type After = Pick<Message, 'id'> | Date | string;

/** The place of a log that has no event, and of one that is read from its first event on. */
export const beginning = 'beginning';

/** A place in the mail of a workspace. */
export interface MailPlace {
  /** The event behind which the log is read; null at its beginning. */
  event: string | null;
  /** Which messages count: from this time on, or behind this message; null when all of the log do. */
  since: string | null;
  /** Up to where the list was given: a time or a message; null when it was given whole, or is not wanted. */
  listed: string | null;
  /** The messages that were given out of the list. */
  given: Set<string>;
}

/** More of them would be a burst of mail within the moment that an event takes to its place. */
const givenMax = 200;

/** The place as a text, by which another process can go on. */
export function toCursor({ event, since, listed, given }: MailPlace): string {
  const parts = [event ?? beginning, since ?? '', listed ?? '', [...given].slice(-givenMax).join()];
  return parts.join('~').replace(/~+$/, '');
}

const cursor = /^(?:beginning|evt_\w+)(?:~[\w:.,-]*){0,3}$/;

/** The place that a cursor or the id of an event names; null when the text is neither. */
export function fromCursor(text: string): MailPlace | null {
  if (!cursor.test(text)) return null;
  const [event, since, listed, given] = text.split('~');
  return {
    event: event === beginning ? null : (event ?? null),
    since: since || null,
    listed: listed || null,
    given: new Set(given ? given.split(',') : []),
  };
}

/** The place behind a message, or from a time on, for a reader that stands at an event. Throws when the text is neither. */
export function placeAt(after: Date | string, event: string | null): MailPlace {
  const since = isMessageId(after) ? after : timeText(after);
  return { event, since, listed: since, given: new Set() };
}

/** Whether a message comes behind a message, or from a time on. */
export function isSince({ id, created_at }: Message, since: string): boolean {
  return isMessageId(since) ? id > since : Date.parse(created_at) >= Date.parse(since);
}

/** The time from which a list has to be read to have all messages behind a message, or from a time on. */
export function listedFrom(since: string): string {
  return isMessageId(since) ? new Date(timeOf(since)).toISOString() : since;
}

function isMessageId(text: unknown): text is string {
  return typeof text === 'string' && /^msg_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text);
}

const digits = '0123456789abcdefghjkmnpqrstvwxyz';

/** Ids are TypeIDs over UUIDv7 (RFC 9562, 5.7), which begin with their time in 48 bits: three and nine times five. */
function timeOf(id: string): number {
  return [...id.slice(4, 14)].reduce((time, digit) => time * 32 + digits.indexOf(digit), 0);
}

function timeText(after: unknown): string {
  const time = after instanceof Date || typeof after === 'string' ? new Date(after) : new Date(Number.NaN);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw new PostriderError(
    `after is a message, the id of one, a time, or the cursor of a stream, and not ${JSON.stringify(after)}.`,
  );
}
