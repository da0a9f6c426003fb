import * as mimeFuncs from 'nodemailer/lib/mime-funcs';
import type { MimeNodePreparedHeaderValue } from 'nodemailer/lib/mime-node';

/** Thrown for a header value with CR, LF or NUL, which could end its line and begin another field. The caller has let it through. */
export class UnsafeHeader extends Error {
  override readonly name = 'UnsafeHeader';
}

/** A header field as nodemailer takes it. */
export interface HeaderField {
  key: string;
  value: string | MimeNodePreparedHeaderValue;
}

const referencesMax = 50;
/** RFC 5322, section 2.1.1 allows lines of 998 octets, and the name of the field takes some of them. */
const wordLengthMax = 900;
const encodedWordLength = 52;

const lineEndOrNul = /[\r\n\0]/;
const fieldName = /^[A-Za-z][A-Za-z0-9-]{0,75}$/;
const messageIdPattern = /^<[!-;=?-~]+>$/;
/** Printable words with single spaces in between, since nothing else survives folding and unfolding unchanged. */
const plainText = /^[!-~]+(?: [!-~]+)*$/;
const longWord = /[^ ]{201}/;

/** Fields that the composer writes itself, or that only a receiver may add. */
const ownFields =
  /^(?:from|sender|to|cc|bcc|reply-to|subject|date|message-id|in-reply-to|references|thread-index|mime-version|content-.*|resent-.*|return-path|received|auto-submitted|dkim-signature)$/i;

/** Returns whether a field is one of those that the composer writes itself, or that only a receiver may add. */
export function isOwnField(name: string): boolean {
  return ownFields.test(name);
}

/** Returns the text unchanged. Throws `UnsafeHeader` if it contains CR, LF or NUL. */
export function requireHeaderSafe(text: string, what: string): string {
  if (lineEndOrNul.test(text)) throw new UnsafeHeader(`${what} must not contain a line break or NUL.`);
  return text;
}

/** Returns the value of an unstructured field: as encoded words (RFC 2047), unless it is plain ASCII that any reader gets right. */
export function encodeText(text: string, what: string): string | MimeNodePreparedHeaderValue {
  const value = requireHeaderSafe(text, what).toWellFormed();
  if (value === '' || (plainText.test(value) && !longWord.test(value) && !value.includes('=?'))) return value;
  const letters = value.match(/[A-Za-z]/g)?.length ?? 0;
  const encoding = letters * 2 > value.length ? 'Q' : 'B';
  return { value: mimeFuncs.encodeWord(value, encoding, encodedWordLength), prepared: true, foldLines: true };
}

/** Returns a Message-ID of our own. Throws `UnsafeHeader` if it is not valid by RFC 5322, section 3.6.4. */
export function requireMessageId(id: string): string {
  if (!isMessageId(id)) throw new UnsafeHeader('The Message-ID is not one identifier in angle brackets.');
  return id;
}

function isMessageId(id: string): boolean {
  return id.length <= wordLengthMax && messageIdPattern.test(id);
}

/**
 * Returns the ids for References: each valid id once, and at most fifty of them. These are the first, which identifies the thread, and the
 * newest (RFC 5322, section 3.6.4; RFC 5537, section 3.4.4).
 */
export function keepReferences(ids: string[]): string[] {
  const kept = [...new Set(ids.map((id) => id.trim()).filter(isMessageId))];
  return kept.length <= referencesMax ? kept : [...kept.slice(0, 1), ...kept.slice(1 - referencesMax)];
}

/** Returns the caller's own fields. Throws `UnsafeHeader` if a name is invalid or belongs to the composer, such as Bcc. */
export function customFields(headers: Record<string, string>): HeaderField[] {
  return Object.entries(headers).map(([key, text]) => {
    if (!fieldName.test(key) || ownFields.test(key))
      throw new UnsafeHeader(`${JSON.stringify(key)} is no header that can be set.`);
    // List fields contain URLs, which an encoded word would break (RFC 2369, section 2).
    if (!/^list-/i.test(key)) return { key, value: encodeText(text, `The header ${key}`) };
    const value = requireHeaderSafe(text, `The header ${key}`);
    if (value.split(' ').some((word) => word.length > wordLengthMax))
      throw new UnsafeHeader(`The header ${key} has a word that no line can hold.`);
    return { key, value };
  });
}
