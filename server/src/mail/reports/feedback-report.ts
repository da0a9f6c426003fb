import { normalizeAddress } from '../../lib/email-address.ts';
import { allValues, firstValue, readHeaderFields } from '../parse/read-header-fields.ts';

/** What a recipient, or a provider for it, says of a message that it got. */
export interface Feedback {
  /** In lower case, such as `abuse`. */
  type: string;
  /** To whom the message went, as far as the report says. */
  recipients: string[];
  /** The sender of its envelope: the return path that it went out with. */
  returnPath: string | null;
}

const reportBytesMax = 65_536;
const recipientsMax = 100;

/** The fields of a `message/feedback-report` part (RFC 5965); null when it has no type. */
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

/** An address with or without its angle brackets; null for what is none. */
export function readPath(value: string): string | null {
  return normalizeAddress(value.trim().replace(/^<(.*)>$/s, '$1'));
}
