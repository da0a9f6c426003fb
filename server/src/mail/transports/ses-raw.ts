import { allValues, readHeaderFields } from '../parse/read-header-fields.ts';

/** Returns the value of the From field as it is, on one line with encoded words; null unless there is exactly one such field. */
export function fromFieldOf(raw: Buffer): string | null {
  const [value, ...others] = allValues(readHeaderFields(raw), 'from');
  return value !== undefined && others.length === 0 ? value.trim() : null;
}

const messageIdField = /^message-id[ \t]*:[ \t]*(?:\r\n[ \t]+)?(<[^<>\s]+>)[ \t]*\r\n/im;
const referencesField = /^references[ \t]*:(?:[^\r]|\r\n[ \t])*/im;

/**
 * Returns a message whose References also name its own Message-ID. Amazon SES replaces the Message-ID, with another one for each recipient,
 * and leaves References as they are. With its own id there, the copies of a message and the answers to them stay one conversation in the
 * programs of all recipients.
 */
export function nameOwnId(raw: Buffer): Buffer {
  const end = raw.indexOf('\r\n\r\n');
  if (end < 0) return raw;
  const header = raw.toString('latin1', 0, end + 2);
  const own = messageIdField.exec(header);
  if (!own) return raw;
  const [field, id = ''] = own;
  const references = referencesField.exec(header);
  if (references?.[0].includes(id)) return raw;
  const at = references ? references.index + references[0].length : own.index + field.length;
  const added = references ? `\r\n ${id}` : `References: ${id}\r\n`;
  return Buffer.concat([raw.subarray(0, at), Buffer.from(added, 'latin1'), raw.subarray(at)]);
}
