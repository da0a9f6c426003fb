/*
 * A place in the mail of a workspace. The order of the log never changes, so a place in it is an event.
 * Earlier mail is read as a list, which has another order. Until the whole list is read, a place also has how
 * far it was read and which of its messages may still appear in the log, because an event gets its place in
 * the log a moment after its message can be read.
 */
import { PostriderError } from '../errors.ts';
import type { Message } from '../generated/types.ts';

/**
 * Where a wait or a stream of messages begins: after a message or its id, after the `cursor` of a stream or
 * the id of an event, or at a time of the server's clock. Mail of exactly that time counts too, so the
 * `created_at` of a message returns the message again.
 */
export type After = Pick<Message, 'id'> | Date | string;

/** The place before the first event, also while the log is empty. */
export const beginning = 'beginning';

/** A place in the mail of a workspace. */
export interface MailPlace {
  /** The event after which the log is read; null at its beginning. */
  event: string | null;
  /** The time from which messages count, or the message after which they do; null if all in the log count. */
  since: string | null;
  /** How far the list was read: a time or a message; null if it was read completely or is not wanted. */
  listed: string | null;
  /** The ids of the messages of the list that were returned. */
  given: Set<string>;
  /** The ids of messages whose mail the server has not parsed yet, so that they are returned again. */
  unread: Set<string>;
}

/**
 * The maximum number of these messages in a cursor. Only a burst of mail exceeds it, in the moment before its events are in the log.
 */
const givenMax = 200;

/** Returns the place as a text with which another process can continue. */
export function toCursor({ event, since, listed, given, unread }: MailPlace): string {
  const [some, others] = [given, unread].map((ids) => [...ids].slice(-givenMax).join());
  const parts = [event ?? beginning, since ?? '', listed ?? '', some, others];
  return parts.join('~').replace(/~+$/, '');
}

const cursor = /^(?:beginning|evt_\w+)(?:~[\w:.,-]*){0,4}$/;

/** Returns the place of a cursor or of the id of an event, or null if the text is neither. */
export function fromCursor(text: string): MailPlace | null {
  if (!cursor.test(text)) return null;
  const [event, since, listed, given, unread] = text.split('~');
  return {
    event: event === beginning ? null : (event ?? null),
    since: since || null,
    listed: listed || null,
    given: new Set(given ? given.split(',') : []),
    unread: new Set(unread ? unread.split(',') : []),
  };
}

/**
 * Returns the place after a message, or from a time on, for a reader that is at an event. Throws a
 * `PostriderError` if `after` is neither a message nor a time.
 */
export function placeAt(after: Date | string, event: string | null): MailPlace {
  const since = isMessageId(after) ? after : timeText(after);
  return { event, since, listed: since, given: new Set(), unread: new Set() };
}

/** Returns whether a message comes after another one, or was created at a time or later. */
export function isSince({ id, created_at }: Message, since: string): boolean {
  return isMessageId(since) ? id > since : Date.parse(created_at) >= Date.parse(since);
}

/** Returns the time from which a list contains all messages after a message, or from a time on. */
export function listedFrom(since: string): string {
  return isMessageId(since) ? new Date(readTime(since)).toISOString() : since;
}

function isMessageId(text: unknown): text is string {
  return typeof text === 'string' && /^msg_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text);
}

const digits = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Returns the time in an id, in milliseconds since 1970. Ids are TypeIDs over UUIDv7 (RFC 9562, 5.7), which
 * begin with a time of 48 bits: ten digits, the first of 3 bits and the others of 5.
 */
function readTime(id: string): number {
  return [...id.slice(4, 14)].reduce((time, digit) => time * 32 + digits.indexOf(digit), 0);
}

function timeText(after: unknown): string {
  const time = after instanceof Date || typeof after === 'string' ? new Date(after) : new Date(Number.NaN);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw new PostriderError(
    `after must be a message, the id of a message, a time, or the cursor of a stream, not ${JSON.stringify(after)}.`,
  );
}
