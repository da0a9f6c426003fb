import { timingSafeEqual } from 'node:crypto';
import { invalidField } from './api-error.ts';
import { type DerivedKeys, decrypt, encrypt, sign } from './crypto/primitives.ts';

const cursorLengthMax = 1_024;
const purpose = 'cursors';
const secretPurpose = 'secret cursors';
/** 96 bits of the HMAC. A forged cursor shows nothing that its caller is not allowed to see, so a short text matters more. */
const signatureLength = 16;

/** Returns a URL-safe text with the sort keys of a page's last item. `sealCursor` signs or encrypts it. */
export function encodeCursor(parts: string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * Returns the sort keys that `encodeCursor` was given, exactly `length` of them. Throws `invalid_request` for any other text. The keys come
 * from outside and still have to be checked before they are cast to anything in a query.
 */
export function decodeCursor(text: string, length: number): string[] {
  const parts = text.length > cursorLengthMax ? null : parseParts(text);
  // Another spelling of the same bytes (padding, the other base64 alphabet, JSON white space) was not created here.
  if (parts === null || parts.length !== length || encodeCursor(parts) !== text) throw badCursor();
  return parts;
}

/**
 * Returns the sort keys of a list that is sorted by a time and then by a text. Throws `invalid_request` for a time that `toISOString` would
 * not have written, because other spellings include times that no database supports.
 */
export function decodeTimeCursor(text: string): { at: Date; key: string } {
  const [time = '', key = ''] = decodeCursor(text, 2);
  const at = new Date(time);
  if (!/^\d{4}-/.test(time) || Number.isNaN(at.getTime())) throw badCursor();
  return { at, key };
}

/**
 * Returns a cursor as callers get it, signed by HMAC-SHA256 for one list. `list` names the owner and the list, and must not be ambiguous.
 * For callers that do not see everything that decides about the order, it is a secret, and encrypted.
 */
export function sealCursor(keys: DerivedKeys, list: string, cursor: string, isSecret = false): string {
  if (!isSecret) return cursor + signCursor(keys, list, cursor);
  const bytes = Buffer.from(cursor, 'base64url');
  return encrypt(keys, secretPurpose, list, bytes.toString('utf8')).slice(keys.keyId.length + 1);
}

/** Returns the cursor that `sealCursor` was given for the same list and in the same way. Throws `invalid_request` for any other text. */
export function openCursor(keys: DerivedKeys, list: string, text: string, isSecret = false): string {
  if (isSecret) return decryptCursor(keys, list, text);
  const cursor = text.slice(0, -signatureLength);
  if (!isEqual(text.slice(-signatureLength), signCursor(keys, list, cursor))) throw badCursor();
  return cursor;
}

function decryptCursor(keys: DerivedKeys, list: string, text: string): string {
  try {
    const opened = decrypt(keys, secretPurpose, list, `${keys.keyId}.${text}`);
    return Buffer.from(opened).toString('base64url');
  } catch {
    throw badCursor();
  }
}

function signCursor(keys: DerivedKeys, list: string, cursor: string): string {
  // A cursor has no spaces, so the list ends at the last one.
  return sign(keys.key(purpose), `${list} ${cursor}`).slice(0, signatureLength);
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Returns the error for a cursor that does not belong to the list. */
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

/** Rows of one page, and the cursor of the next. */
export interface Page<Row> {
  rows: Row[];
  nextCursor: string | null;
}

/** Creates a page from rows that were queried with one more than `limit`. The extra row only shows that there is a next page. */
export function pageOf<Row>(rows: Row[], limit: number, keyOf: (row: Row) => string[]): Page<Row> {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { rows: page, nextCursor: last === undefined ? null : encodeCursor(keyOf(last)) };
}
