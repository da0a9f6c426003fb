import { randomInt } from 'node:crypto';
import { fromUUIDBytes } from 'typeid-js';

/** The kinds of ids on the wire and in the database: the part of a TypeID before its underscore. */
export const idPrefixes = [
  'inb',
  'msg',
  'thr',
  'att',
  'lbl',
  'rul',
  'whk',
  'dlv',
  'dft',
  'dom',
  'evt',
  'key',
  'wsp',
  'usr',
  'ses',
  'inv',
  'psk',
  'aud',
  'adm',
] as const;

/** One of the kinds of ids, for example `msg` for a message. */
export type IdPrefix = (typeof idPrefixes)[number];

const clockStepBackMsMax = 10_000;
const rememberedMillisecondsMax = 256;
const counterBits = 42;

/** The last counter given out in each of the newest milliseconds, oldest entry first. */
const counters = new Map<number, number>();
let newestMs = 0;

/** A wall clock that was set back a little must not reorder ids, so the newest millisecond is kept if the step is shorter than 10 s. */
function readClockMs(): number {
  const nowMs = Date.now();
  const steppedBack = nowMs < newestMs && newestMs - nowMs < clockStepBackMsMax;
  newestMs = steppedBack ? newestMs : nowMs;
  return newestMs;
}

/**
 * RFC 9562, section 6.2, method 1: a counter that starts at a random value and grows by one for each id of the same
 * millisecond. The first bit of the start is 0, so that 2^41 ids fit into every millisecond.
 */
function takeCounter(ms: number): number {
  const last = counters.get(ms);
  const next = last === undefined ? randomInt(2 ** (counterBits - 1)) : last + 1;
  counters.set(ms, next);
  if (counters.size > rememberedMillisecondsMax) {
    for (const oldest of counters.keys()) {
      counters.delete(oldest);
      break;
    }
  }
  return next;
}

/** Creates a UUIDv7 (RFC 9562, section 5.7): 48 bits of time, 42 bits of counter and 32 random bits, around version and variant. */
function newUuidBytes(ms: number): Buffer {
  const counter = takeCounter(ms);
  const bytes = Buffer.allocUnsafe(16);
  bytes.writeUIntBE(ms, 0, 6);
  bytes.writeUInt16BE(0x7000 | Math.floor(counter / 2 ** 30), 6);
  bytes.writeUInt32BE((0x80000000 | (counter % 2 ** 30)) >>> 0, 8);
  bytes.writeUInt32BE(randomInt(2 ** 32), 12);
  return bytes;
}

/**
 * Creates a TypeID such as `msg_01jd3v…` from a UUIDv7 of `at` (default: now). Ids that one process creates for the same millisecond sort
 * in the order of their creation.
 */
export function newId(prefix: IdPrefix, at?: Date): string {
  const ms = at === undefined ? readClockMs() : at.getTime();
  return fromUUIDBytes(prefix, newUuidBytes(ms));
}

/** Returns the smallest id that something created at this moment or later can have, for time ranges over ids. */
export function firstIdAt(prefix: IdPrefix, at: Date): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.max(0, at.getTime()), 0, 6);
  return fromUUIDBytes(prefix, bytes);
}

const digits = '0123456789abcdefghjkmnpqrstvwxyz';
/** The first 48 of its 130 bits are the time, behind two that are always 0. */
const timeDigits = 10;

/** Returns the time of an id, in whole milliseconds. The first characters are enough. */
export function timeOfId(id: string): Date {
  const suffix = id
    .slice(id.indexOf('_') + 1)
    .padEnd(timeDigits, '0')
    .slice(0, timeDigits);
  return new Date([...suffix].reduce((ms, digit) => ms * 32 + Math.max(0, digits.indexOf(digit)), 0));
}

const suffixPattern = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Returns whether `value` is spelled as an id of this kind. The first character is below 8, because 26 characters hold 130 bits. */
export function isId(prefix: IdPrefix, value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length === prefix.length + 27 &&
    value.startsWith(`${prefix}_`) &&
    suffixPattern.test(value.slice(prefix.length + 1))
  );
}
