/*
 * The one reading of From. The sender that is shown, inbound rules, DMARC, and everything that people or policies decide by an author
 * follow from it, so that no spelling is one author to one of them and another author to the next.
 */

import libmime from 'libmime';
import addressparser from 'nodemailer/lib/addressparser';
import { type NamedAddress, normalizeAddress, spellHost } from '../../lib/email-address.ts';
import { cleanText } from '../../lib/texts.ts';
import { type HeaderField, parseLimits, readHeaderFields } from './read-header-fields.ts';

/** A mail with more From fields is no mail of an honest author, and reading all of them would take time for which others wait. */
const fieldsMax = 50;
const sendersMax = 50;

/** Returns the From fields of a header. */
export function fromFields(fields: HeaderField[]): HeaderField[] {
  return fields.filter(({ name }) => name === 'from');
}

/**
 * Returns the addresses that the From fields of a header name. A field that is too long to be read whole names nobody, since the rest of it
 * may name others.
 */
export function readAuthors(fields: HeaderField[]): string[] {
  const whole = fromFields(fields)
    .slice(0, fieldsMax)
    .filter(({ isCut }) => !isCut);
  return readMailboxes(whole.map(({ value }) => value)).map(({ address }) => address);
}

/**
 * Returns the sender of a mail: the first mailbox of the first From that is not empty. If that names nobody, it is the envelope's sender,
 * with the text of the field as the name. Without that too, it is the text itself. Returns null if there is no text either.
 */
export function readFrom(
  fields: HeaderField[],
  envelopeFrom: string | null,
  decodeName: (text: string) => string = (text) => text,
): NamedAddress | null {
  const field = fromFields(fields).find(({ value }) => value !== '');
  const value = field && !field.isCut ? field.value : '';
  const [mailbox] = readMailboxes([value], decodeName);
  if (mailbox) return mailbox;
  const text = readHeaderText(decodeName(value), parseLimits.nameLengthMax);
  const name = text === '' ? null : text;
  if (envelopeFrom) return { name, address: normalizeAddress(envelopeFrom) ?? cutAddress(envelopeFrom) };
  // A text that is not an address must not look like one.
  return name === null ? null : { name: null, address: cutAddress(text.replaceAll('@', ' ')) };
}

/** Returns the sender of a raw mail, as `readFrom` does, and then the other addresses that any From of it names. */
export function readSenders(raw: Buffer, envelopeFrom: string): string[] {
  const fields = readHeaderFields(raw);
  const shown = readFrom(fields, envelopeFrom);
  return [...new Set([...(shown ? [shown.address] : []), ...readAuthors(fields)])].slice(0, sendersMax);
}

const encodedWordPattern = /=\?[^?\s]+\?[bq]\?/i;

/** Returns a header's text with its encoded words decoded (RFC 2047), on one line, cleaned, and at most `lengthMax` characters long. */
export function readHeaderText(value: string, lengthMax: number): string {
  const decoded = encodedWordPattern.test(value)
    ? libmime.decodeWords(splitBrokenWords(joinCutWords(value)))
    : value;
  const line = cleanText(decoded.slice(0, 4 * lengthMax))
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length <= lengthMax ? line : cleanText(line.slice(0, lengthMax));
}

/** Encoded words with white space, which they must not contain, since a program has folded the line there (RFC 2047, section 2). */
const cutWordPattern = /=\?([^?\s]{1,60})\?([bq])\?([^?\n]{0,4000})\?=/gi;

/** Returns text with its encoded words whole. Some programs fold them as any other text, or as quoted-printable, by a `=`. */
export function joinCutWords(value: string): string {
  return value.replace(cutWordPattern, (word, charset: string, encoding: string, content: string) => {
    if (!/\s/.test(content)) return word;
    const isBase64 = encoding.toLowerCase() === 'b';
    const whole = isBase64 ? content.replace(/\s+/g, '') : content.replace(/=\s+/g, '').replace(/\s/g, '_');
    return `=?${charset}?${encoding}?${whole}?=`;
  });
}

/** Encoded words with characters beyond ASCII, which they must not contain (RFC 2047, section 2). */
const brokenWordPattern = /=\?([^?\s]{1,60})\?q\?([^?\n]{0,2000})\?=/gi;

/** Decodes what is between such characters by the charset of the word. The characters themselves have been decoded already. */
function splitBrokenWords(value: string): string {
  return value.replace(brokenWordPattern, (word, charset: string, content: string) => {
    const runs = content.split(/([\u0080-\uffff]+)/);
    if (runs.length === 1) return word;
    return runs
      .map((run, at) => (run === '' || at % 2 === 1 ? run : libmime.decodeWords(`=?${charset}?Q?${run}?=`)))
      .join('');
  });
}

/**
 * Returns the mailboxes of an address header (RFC 5322, section 3.4), with groups expanded and addresses normalized. Anything that is no
 * address of RFC 5321 is kept unchanged if it has an at sign. Encoded words are decoded in names only, so that no address can be made from
 * one. `decodeName` is for names that are in another charset than they were read in.
 */
export function readMailboxes(
  values: string[],
  decodeName: (text: string) => string = (text) => text,
): NamedAddress[] {
  const mailboxes: NamedAddress[] = [];
  let characters = 0;
  for (const value of values)
    for (const { name, address } of addressparser(value, { flatten: true })) {
      if (mailboxes.length >= parseLimits.addressesMax) return mailboxes;
      const spelled = normalizeAddress(address) ?? keepOddAddress(address);
      if (spelled === null) continue;
      characters += spelled.length;
      if (characters > parseLimits.addressCharactersMax) return mailboxes;
      mailboxes.push({ name: readName(decodeName(name)), address: spelled });
    }
  return mailboxes;
}

function readName(name: string): string | null {
  const text = readHeaderText(name, parseLimits.nameLengthMax).replace(/^["']+|["']+$/g, '');
  return text === '' ? null : text;
}

function keepOddAddress(address: string): string | null {
  return address.includes('@') && !encodedWordPattern.test(address) ? cutAddress(address) : null;
}

/** Longer ones are not host names. */
const hostLengthMax = 255;

/**
 * Returns text that is no address of RFC 5321 in a form that can be stored. Its domain is spelled as DNS is asked for it, and never cut so
 * that it becomes another domain.
 */
function cutAddress(text: string): string {
  const line = cleanText(
    text.slice(0, 4 * parseLimits.addressLengthMax).replace(/[\s\p{Cc}]+/gu, ' '),
  ).trim();
  const at = line.lastIndexOf('@');
  if (at < 0) return cleanText(line.slice(0, parseLimits.addressLengthMax));
  const host = line.slice(at + 1);
  const domain = (spellHost(host) ?? host).slice(0, hostLengthMax);
  return cleanText(
    `${line.slice(0, Math.min(at, parseLimits.addressLengthMax - hostLengthMax - 1))}@${domain}`,
  );
}
