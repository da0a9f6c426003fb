import { allValues, readHeaderFields } from '../parse/read-header-fields.ts';

/** Returns the value of the From field as it is, on one line with encoded words; null unless there is exactly one such field. */
export function fromFieldOf(raw: Buffer): string | null {
  const [value, ...others] = allValues(readHeaderFields(raw), 'from');
  return value !== undefined && others.length === 0 ? value.trim() : null;
}

const messageIdField = /^message-id[ \t]*:[ \t]*(?:\r\n[ \t]+)?(<[^<>\s]+>)[ \t]*\r\n/im;
const referencesField = /^references[ \t]*:(?:[^\r]|\r\n[ \t])*/im;
const signatureFields = /^dkim-signature[ \t]*:(?:[^\r]|\r\n[ \t])*\r\n/gim;

/**
 * Returns a message in the form in which it is given to Amazon SES, which replaces its Date, and its Message-ID by another one for each
 * recipient. Our DKIM signature is left out, because it covers both and would fail; SES signs the message itself. References also name
 * the message's own id, which SES leaves there, so that its copies and the answers to them stay one conversation in the programs of all
 * recipients.
 */
export function rawForSes(raw: Buffer): Buffer {
  const end = raw.indexOf('\r\n\r\n');
  if (end < 0) return raw;
  const header = raw.toString('latin1', 0, end + 2);
  const changed = nameOwnId(header.replace(signatureFields, ''));
  return Buffer.concat([Buffer.from(changed, 'latin1'), raw.subarray(end + 2)]);
}

function nameOwnId(header: string): string {
  const own = messageIdField.exec(header);
  if (!own) return header;
  const [field, id = ''] = own;
  const references = referencesField.exec(header);
  if (references?.[0].includes(id)) return header;
  const at = references ? references.index + references[0].length : own.index + field.length;
  const added = references ? `\r\n ${id}` : `References: ${id}\r\n`;
  return header.slice(0, at) + added + header.slice(at);
}
