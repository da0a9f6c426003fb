import libmime from 'libmime';
import addressparser from 'nodemailer/lib/addressparser';
import { cleanText } from '../../lib/clean-text.ts';
import { type NamedAddress, normalizeAddress } from '../../lib/email-address.ts';
import { parseLimits } from './parse-limits.ts';
import { firstValue, readHeaderFields } from './read-header-fields.ts';

const encodedWordPattern = /=\?[^?\s]+\?[bq]\?/i;

/** Returns a header's text with its encoded words decoded (RFC 2047), on one line, cleaned, and at most `lengthMax` characters long. */
export function readHeaderText(value: string, lengthMax: number): string {
  const decoded = encodedWordPattern.test(value) ? libmime.decodeWords(splitBrokenWords(value)) : value;
  const line = cleanText(decoded.slice(0, 4 * lengthMax))
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length <= lengthMax ? line : cleanText(line.slice(0, lengthMax));
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
 * one.
 */
export function readMailboxes(values: string[]): NamedAddress[] {
  const mailboxes: NamedAddress[] = [];
  let characters = 0;
  for (const value of values)
    for (const { name, address } of addressparser(value, { flatten: true })) {
      if (mailboxes.length >= parseLimits.addressesMax) return mailboxes;
      const spelled = normalizeAddress(address) ?? keepOddAddress(address);
      if (spelled === null) continue;
      characters += spelled.length;
      if (characters > parseLimits.addressCharactersMax) return mailboxes;
      mailboxes.push({ name: readName(name), address: spelled });
    }
  return mailboxes;
}

/** No honest author writes more, and reading all of it would take time for which others wait. */
const fromLengthMax = 4_096;
const authorsMax = 50;

/**
 * Returns the addresses that a raw mail names as its authors, in any From that it has. The first one is the sender of the message, as
 * `readFrom` returns it.
 */
export function readAuthors(raw: Buffer, envelopeFrom: string): string[] {
  const fields = readHeaderFields(raw).filter(({ name }) => name === 'from');
  const shown = readFrom(firstValue(fields, 'from'), envelopeFrom);
  const values = fields.slice(0, authorsMax).map(({ value }) => value.slice(0, fromLengthMax));
  const addresses = [...(shown ? [shown] : []), ...readMailboxes(values)].map(({ address }) => address);
  return [...new Set(addresses)].slice(0, authorsMax);
}

/**
 * Returns the sender of a mail: the first mailbox of the header. Without one, it is the envelope's sender, with the header's text as the
 * name. Without that too, it is the text itself. Returns null if there is no text either.
 */
export function readFrom(value: string | null, envelopeFrom: string | null): NamedAddress | null {
  const [mailbox] = value === null ? [] : readMailboxes([value.slice(0, fromLengthMax)]);
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
