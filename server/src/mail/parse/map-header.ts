import type { NamedAddress } from '../../lib/email-address.ts';
import { readThreadIndex } from '../thread-index.ts';
import { isAutoSubmitted } from './auto-submitted.ts';
import { inCharset } from './body-charset.ts';
import { readMessageIds, readOwnMessageId, readReferences } from './message-ids.ts';
import { parseLimits } from './parse-limits.ts';
import { readFrom } from './read-from.ts';
import { allValues, firstValue, type HeaderField } from './read-header-fields.ts';
import { readHeaderText, readMailboxes } from './read-mailboxes.ts';

/** The header of a mail. Ids have their angle brackets. Addresses are normalized if they are valid. */
export interface ParsedHeader {
  messageId: string | null;
  inReplyTo: string[];
  /** Oldest first, each id once. Of more than 500, the first one and the last 499 are kept. */
  references: string[];
  /** Outlook's field for the conversation, in base64. */
  threadIndex: string | null;
  subject: string;
  /** Null only if neither header nor envelope names a sender. Its address is the text of the header if that is no valid address. */
  from: NamedAddress | null;
  sender: NamedAddress | null;
  to: NamedAddress[];
  cc: NamedAddress[];
  bcc: NamedAddress[];
  replyTo: NamedAddress[];
  date: Date | null;
  /** Whether nobody waits for a reply to this mail, by RFC 3834 and the signs of mailing lists. */
  autoSubmitted: boolean;
  receivedCount: number;
}

/** What is known of a mail besides its header. */
export interface HeaderContext {
  /** Null if it is not known. */
  envelopeFrom: string | null;
  /** The charset of the body, in which fields are that are no UTF-8; null if it names none. */
  charset: string | null;
}

/** Returns the contents of a mail's header. */
export function mapHeader(fields: HeaderField[], { envelopeFrom, charset }: HeaderContext): ParsedHeader {
  const decode = (name: string) => {
    const isUnlabelled = fields.some((field) => field.name === name && field.isUnlabelled);
    return (text: string) => (isUnlabelled && charset !== null ? inCharset(text, charset) : text);
  };
  const people = (name: string) => readMailboxes(allValues(fields, name), decode(name));
  const subject = decode('subject')(firstValue(fields, 'subject') ?? '');
  const messageId = readOwnMessageId(firstValue(fields, 'message-id') ?? '');
  const inReplyTo = allValues(fields, 'in-reply-to').flatMap(readMessageIds);
  const [sender] = readMailboxes(allValues(fields, 'sender').slice(0, 1));
  return {
    messageId,
    // A mail that replies to itself would be its own ancestor.
    inReplyTo: [...new Set(inReplyTo)].filter((id) => id !== messageId).slice(0, parseLimits.inReplyToMax),
    references: readReferences(allValues(fields, 'references'), messageId),
    threadIndex: readThreadIndex(firstValue(fields, 'thread-index')),
    subject: readHeaderText(subject, parseLimits.subjectLengthMax),
    from: readFrom(fields, envelopeFrom, decode('from')),
    sender: sender ?? null,
    to: people('to'),
    cc: people('cc'),
    bcc: people('bcc'),
    replyTo: people('reply-to'),
    date: readDate(firstValue(fields, 'date')),
    autoSubmitted: isAutoSubmitted(fields, envelopeFrom),
    receivedCount: allValues(fields, 'received').length,
  };
}

/** Returns a date that can be stored. A year in which no mail was written comes from a wrong clock, and the date is then null. */
function readDate(value: string | null): Date | null {
  if (value === null || value.length > 200) return null;
  const date = new Date(value.replace(/\([^()]*\)/g, ' ').trim());
  const year = date.getUTCFullYear();
  return year >= 1970 && year < 2200 ? date : null;
}
