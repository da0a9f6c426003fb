import { isAutoSubmitted } from './auto-submitted.ts';
import { readMessageIds, readOwnMessageId, readReferences } from './message-ids.ts';
import { type ParsedHeader, parseLimits } from './parsed-mail.ts';
import { allValues, firstValue, type HeaderField } from './read-header-fields.ts';
import { readFrom, readHeaderText, readMailboxes } from './read-mailboxes.ts';

/** What the header of a mail says; `envelopeFrom` is null when it is not known. */
export function mapHeader(fields: HeaderField[], envelopeFrom: string | null): ParsedHeader {
  const messageId = readOwnMessageId(firstValue(fields, 'message-id') ?? '');
  const inReplyTo = allValues(fields, 'in-reply-to').flatMap(readMessageIds);
  const [sender] = readMailboxes(allValues(fields, 'sender').slice(0, 1));
  return {
    messageId,
    // A mail that answers itself would be its own ancestor.
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

/** A date that can be stored; years that no mail was written in are a broken clock. */
function readDate(value: string | null): Date | null {
  if (value === null || value.length > 200) return null;
  const date = new Date(value.replace(/\([^()]*\)/g, ' ').trim());
  const year = date.getUTCFullYear();
  return year >= 1970 && year < 2200 ? date : null;
}
