import type { NamedAddress } from '../../lib/email-address.ts';
import { isAutoSubmitted } from './auto-submitted.ts';
import { readMessageIds, readOwnMessageId, readReferences } from './message-ids.ts';
import { parseLimits } from './parse-limits.ts';
import { allValues, firstValue, type HeaderField } from './read-header-fields.ts';
import { readFrom, readHeaderText, readMailboxes } from './read-mailboxes.ts';

/** The header of a mail. Ids have their angle brackets. Addresses are normalized if they are valid. */
export interface ParsedHeader {
  messageId: string | null;
  inReplyTo: string[];
  /** Oldest first, each id once. Of more than 500, the first one and the last 499 are kept. */
  references: string[];
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

/** Returns the contents of a mail's header; `envelopeFrom` is null if it is not known. */
export function mapHeader(fields: HeaderField[], envelopeFrom: string | null): ParsedHeader {
  const messageId = readOwnMessageId(firstValue(fields, 'message-id') ?? '');
  const inReplyTo = allValues(fields, 'in-reply-to').flatMap(readMessageIds);
  const [sender] = readMailboxes(allValues(fields, 'sender').slice(0, 1));
  return {
    messageId,
    // A mail that replies to itself would be its own ancestor.
    inReplyTo: [...new Set(inReplyTo)].filter((id) => id !== messageId).slice(0, parseLimits.inReplyToMax),
    references: readReferences(allValues(fields, 'references'), messageId),
    subject: readHeaderText(firstValue(fields, 'subject') ?? '', parseLimits.subjectLengthMax),
    from: readFrom(firstValue(fields, 'from'), envelopeFrom),
    sender: sender ?? null,
    to: readMailboxes(allValues(fields, 'to')),
    cc: readMailboxes(allValues(fields, 'cc')),
    bcc: readMailboxes(allValues(fields, 'bcc')),
    replyTo: readMailboxes(allValues(fields, 'reply-to')),
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
