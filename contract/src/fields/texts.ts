import * as z from 'zod';
import { utf8Bytes } from './address.ts';

/** Returns the schema of a text with `min` to `max` characters, counted in code points as in JSON Schema. */
function characters(min: number, max: number) {
  const error = min > 0 ? `must have ${min} to ${max} characters` : `must have at most ${max} characters`;
  const fits = (text: string) =>
    text.length >= min && (text.length <= max || (text.length <= 2 * max && [...text].length <= max));
  const bounds = min > 0 ? { minLength: min, maxLength: max } : { maxLength: max };
  return z.string().refine(fits, { error, abort: true }).meta(bounds);
}

const loneSurrogates = /\p{Cs}/gu;

/** Replaces lone surrogates, such as half of an emoji, which have no UTF-8 form, by the sign for an unreadable character. */
function toWellFormed(text: string): string {
  return text.replace(loneSurrogates, '\ufffd');
}

/** Returns the schema of a text that becomes a header, without CR, LF or NUL (RFC 5322, section 2.2). */
export function headerText(min: number, max: number) {
  return characters(min, max)
    .refine((text) => !/[\r\n\0]/.test(text), { error: 'must not contain line breaks or NUL' })
    .overwrite(toWellFormed);
}

/** Returns the schema of a text of one line without control characters, such as a name or search words. */
export function plainText(min: number, max: number) {
  return characters(min, max).refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), {
    error: 'must not contain control characters',
  });
}

/** Returns the schema of the body of a message, with at most `bytesMax` bytes of UTF-8. It removes NUL, which mail cannot contain. */
export function bodyText(bytesMax: number) {
  const fits = (text: string) =>
    text.length * 3 <= bytesMax || (text.length <= bytesMax && utf8Bytes(text) <= bytesMax);
  return z
    .string()
    .refine(fits, { error: `must have at most ${bytesMax} bytes of UTF-8` })
    .overwrite((text) => toWellFormed(text.replaceAll('\0', '')));
}

/** Returns the text without spaces and tabs around it. Line breaks stay, so that they are refused rather than repaired. */
export function trimBlanks(text: string): string {
  const isBlank = (at: number) => text[at] === ' ' || text[at] === '\t';
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(start)) start++;
  while (end > start && isBlank(end - 1)) end--;
  return text.slice(start, end);
}
