import * as z from 'zod';
import { utf8Bytes } from './address.ts';

/** Text of so many characters (code points, as JSON Schema counts). */
function characters(min: number, max: number) {
  const error = min > 0 ? `must have ${min} to ${max} characters` : `must have at most ${max} characters`;
  const fits = (text: string) =>
    text.length >= min && (text.length <= max || (text.length <= 2 * max && [...text].length <= max));
  const bounds = min > 0 ? { minLength: min, maxLength: max } : { maxLength: max };
  return z.string().refine(fits, { error, abort: true }).meta(bounds);
}

const loneSurrogates = /\p{Cs}/gu;

/** Half a character (an emoji cut in two) has no UTF-8 form; the sign for an unreadable character takes its place. */
function toWellFormed(text: string): string {
  return text.replace(loneSurrogates, '\ufffd');
}

/** Text that becomes a header: no CR, LF or NUL (RFC 5322, section 2.2). */
export function headerText(min: number, max: number) {
  return characters(min, max)
    .refine((text) => !/[\r\n\0]/.test(text), { error: 'must not contain line breaks or NUL' })
    .overwrite(toWellFormed);
}

/** Text of one line without control characters: names and search words. */
export function plainText(min: number, max: number) {
  return characters(min, max).refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), {
    error: 'must not contain control characters',
  });
}

/** The body of a message: so many bytes of UTF-8. NUL, which no mail can hold, is taken out. */
export function bodyText(bytesMax: number) {
  const fits = (text: string) =>
    text.length * 3 <= bytesMax || (text.length <= bytesMax && utf8Bytes(text) <= bytesMax);
  return z
    .string()
    .refine(fits, { error: `must have at most ${bytesMax} bytes of UTF-8` })
    .overwrite((text) => toWellFormed(text.replaceAll('\0', '')));
}

/** The text without spaces and tabs around it; line breaks stay, so that they are refused rather than repaired. */
export function trimBlanks(text: string): string {
  const isBlank = (at: number) => text[at] === ' ' || text[at] === '\t';
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(start)) start++;
  while (end > start && isBlank(end - 1)) end--;
  return text.slice(start, end);
}
