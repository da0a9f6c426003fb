import { invalidField } from './api-error.ts';

const cursorLengthMax = 1_024;

/** An opaque, URL-safe text that holds the sort keys of a page's last item; it is not secret and not signed. */
export function encodeCursor(parts: string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * The sort keys that `encodeCursor` was given, exactly `length` of them; throws `invalid_request` for any other text. The
 * keys come from outside and still have to be checked before they are cast to anything in a query.
 */
export function decodeCursor(text: string, length: number): string[] {
  const parts = text.length > cursorLengthMax ? null : parseParts(text);
  // A second spelling of the same bytes (padding, the other base64 alphabet, JSON blanks) was not made here.
  if (parts === null || parts.length !== length || encodeCursor(parts) !== text) throw badCursor();
  return parts;
}

/**
 * The sort keys of a list that is sorted by a time and then by a text; throws `invalid_request` for a time that `toISOString`
 * would not have written, since other spellings reach times that no database knows.
 */
export function decodeTimeCursor(text: string): { at: Date; key: string } {
  const [time = '', key = ''] = decodeCursor(text, 2);
  const at = new Date(time);
  if (!/^\d{4}-/.test(time) || Number.isNaN(at.getTime())) throw badCursor();
  return { at, key };
}

/** The error for a cursor whose keys turn out not to be of the kind that the list sorts by. */
function badCursor() {
  return invalidField('cursor', 'must be a `next_cursor` of this list');
}

function parseParts(text: string): string[] | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    const isKeys =
      Array.isArray(value) && value.every((part) => typeof part === 'string' && isStorable(part));
    return isKeys ? value : null;
  } catch {
    return null;
  }
}

/** NUL and lone surrogates in a parameter would make Postgres fail instead of finding nothing. */
function isStorable(part: string): boolean {
  return !/[\0\p{Cs}]/u.test(part);
}
