import { readOwnMessageId } from '../parse/message-ids.ts';
import { allValues, firstValue, readHeaderFields } from '../parse/read-header-fields.ts';
import { type FilePart, readMime } from '../parse/read-mime.ts';
import { type ReportedDelivery, readDeliveryStatus } from './dsn.ts';
import { type Feedback, readFeedback, readPath } from './feedback-report.ts';
import { mayReport } from './may-report.ts';

/** What a mail reports of another mail, by its parts that are made for machines. */
export interface MailReport {
  deliveries: ReportedDelivery[];
  feedback: Feedback | null;
  /** The Message-ID of what it is about, where its header came back. */
  messageId: string | null;
  /** Return paths that what it is about was seen with. */
  returnPaths: string[];
}

const returnPathsMax = 10;
const returnedTypes =
  /^(?:message\/(?:rfc822|rfc822-headers|global|global-headers|partial)|text\/rfc822(?:-headers)?)$/;

/**
 * Reads a report on delivery (RFC 3464) or a feedback report (RFC 5965); null for a mail that is neither, whatever its words
 * say. It may take as long as reading the mail does, and never rejects.
 */
export async function readReport(raw: Buffer): Promise<MailReport | null> {
  if (!mayReport(raw)) return null;
  const content = await readMime(raw, true).catch(() => null);
  // Some servers write multipart/mixed; within other types it is what somebody sends on.
  const isReport = /^multipart\/(?:report|mixed)$/.test(String(content?.root?.contentType));
  return content && isReport ? reportOf(content.files) : null;
}

function reportOf(files: FilePart[]): MailReport | null {
  const ofType = (pattern: RegExp) => files.filter(({ contentType }) => pattern.test(contentType));
  const [status] = ofType(/^message\/(?:global-)?delivery-status$/);
  const [feedback] = ofType(/^message\/feedback-report$/);
  if (!status?.content && !feedback?.content) return null;
  const [returned] = ofType(returnedTypes);
  const fields = returned?.content ? readHeaderFields(returned.content) : [];
  const found = feedback?.content ? readFeedback(feedback.content) : null;
  const returnPaths = [found?.returnPath ?? null, ...allValues(fields, 'return-path').map(readPath)];
  return {
    deliveries: status?.content ? readDeliveryStatus(status.content) : [],
    feedback: found,
    messageId: readOwnMessageId(firstValue(fields, 'message-id') ?? ''),
    returnPaths: returnPaths.filter((path) => path !== null).slice(0, returnPathsMax),
  };
}
