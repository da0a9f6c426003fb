import { normalizeAddress } from '../../lib/email-address.ts';
import { allValues, firstValue, readHeaderFields } from '../parse/read-header-fields.ts';

/** The feedback of a recipient, or of its provider, on a message that it got. */
export interface Feedback {
  /** In lower case, such as `abuse`. */
  type: string;
  /** The recipients of the message, as far as the report names them. */
  recipients: string[];
  /** The envelope sender: the return path with which the message was sent. */
  returnPath: string | null;
}

const reportBytesMax = 65_536;
const recipientsMax = 100;

/** Returns the fields of a `message/feedback-report` part (RFC 5965). Returns null if it has no type. */
export function readFeedback(content: Buffer): Feedback | null {
  const start = /^\s*/.exec(content.toString('latin1', 0, 256))?.[0].length ?? 0;
  const fields = readHeaderFields(content.subarray(start, reportBytesMax));
  const type = /^[a-z0-9_-]{1,64}/i.exec(firstValue(fields, 'feedback-type') ?? '')?.[0].toLowerCase();
  if (type === undefined) return null;
  const recipients = ['original-rcpt-to', 'removal-recipient'].flatMap((name) => allValues(fields, name));
  const known = recipients.slice(0, recipientsMax).map(readPath);
  return {
    type,
    recipients: [...new Set(known.filter((address) => address !== null))],
    returnPath: readPath(firstValue(fields, 'original-mail-from') ?? ''),
  };
}

/** Returns the normalized address of a path with or without angle brackets. Returns null if it is not an address. */
export function readPath(value: string): string | null {
  return normalizeAddress(value.trim().replace(/^<(.*)>$/s, '$1'));
}
