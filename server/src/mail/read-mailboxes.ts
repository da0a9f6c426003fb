import libmime from 'libmime';
import addressparser from 'nodemailer/lib/addressparser';
import { cleanText } from '../lib/clean-text.ts';
import { type NamedAddress, normalizeAddress } from '../lib/email-address.ts';
import { parseLimits } from './parsed-mail.ts';

const encodedWordPattern = /=\?[^?\s]+\?[bq]\?/i;

/** A header text with its encoded words decoded (RFC 2047), on one line, cleaned and at most `lengthMax` characters long. */
export function readHeaderText(value: string, lengthMax: number): string {
  const decoded = encodedWordPattern.test(value) ? libmime.decodeWords(value) : value;
  const line = cleanText(decoded.slice(0, 4 * lengthMax))
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length <= lengthMax ? line : cleanText(line.slice(0, lengthMax));
}

/**
 * The mailboxes of an address header (RFC 5322, section 3.4), groups opened, in their one spelling; what stands there but
 * is no address of RFC 5321 is kept as it is written if it has an at sign. Encoded words are decoded in names only, so no
 * address can be made out of one.
 */
export function readMailboxes(values: string[]): NamedAddress[] {
  const mailboxes: NamedAddress[] = [];
  for (const value of values)
    for (const { name, address } of addressparser(value, { flatten: true })) {
      if (mailboxes.length >= parseLimits.addressesMax) return mailboxes;
      const spelled = normalizeAddress(address) ?? keepOddAddress(address);
      if (spelled !== null) mailboxes.push({ name: readName(name), address: spelled });
    }
  return mailboxes;
}

/**
 * Who a mail is from: the first mailbox of the header. Without one, the envelope's sender stands in, with the header's text
 * as its name; without that too, the text itself. Null when there is nothing to say.
 */
export function readFrom(value: string | null, envelopeFrom: string | null): NamedAddress | null {
  const [mailbox] = value === null ? [] : readMailboxes([value]);
  if (mailbox) return mailbox;
  const text = readHeaderText(value ?? '', parseLimits.nameLengthMax);
  const name = text === '' ? null : text;
  if (envelopeFrom) return { name, address: normalizeAddress(envelopeFrom) ?? cutAddress(envelopeFrom) };
  return name === null ? null : { name: null, address: cutAddress(text) };
}

function readName(name: string): string | null {
  const text = readHeaderText(name, parseLimits.nameLengthMax).replace(/^["']+|["']+$/g, '');
  return text === '' ? null : text;
}

function keepOddAddress(address: string): string | null {
  return address.includes('@') && !encodedWordPattern.test(address) ? cutAddress(address) : null;
}

function cutAddress(text: string): string {
  return cleanText(text.slice(0, parseLimits.addressLengthMax).replace(/[\s\p{Cc}]+/gu, ' ')).trim();
}
