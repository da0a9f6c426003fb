/*
 * The one reading of From. The sender that is shown, inbound rules, DMARC, and everything that people or policies decide by an author
 * follow from it, so that no spelling is one author to one of them and another author to the next.
 */
import { type NamedAddress, normalizeAddress } from '../../lib/email-address.ts';
import { parseLimits } from './parse-limits.ts';
import { type HeaderField, readHeaderFields } from './read-header-fields.ts';
import { cutAddress, readHeaderText, readMailboxes } from './read-mailboxes.ts';

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
  // What is no address must not look like one.
  return name === null ? null : { name: null, address: cutAddress(text.replaceAll('@', ' ')) };
}

/** Returns the sender of a raw mail, as `readFrom` does, and then the other addresses that any From of it names. */
export function readSenders(raw: Buffer, envelopeFrom: string): string[] {
  const fields = readHeaderFields(raw);
  const shown = readFrom(fields, envelopeFrom);
  return [...new Set([...(shown ? [shown.address] : []), ...readAuthors(fields)])].slice(0, sendersMax);
}
