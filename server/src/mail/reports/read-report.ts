import { readOwnMessageId } from '../parse/message-ids.ts';
import { allValues, firstValue, readHeaderFields } from '../parse/read-header-fields.ts';
import { type FilePart, readMime } from '../parse/read-mime.ts';
import {
  type Feedback,
  mayReport,
  type ReportedDelivery,
  readDeliveryStatus,
  readFeedback,
  readPath,
} from './report-parts.ts';

/** The report of a mail on another mail, from its machine-readable parts. */
export interface MailReport {
  deliveries: ReportedDelivery[];
  feedback: Feedback | null;
  /** The Message-ID of the reported mail, if its header was returned. */
  messageId: string | null;
  /** The return paths that the reported mail was seen with. */
  returnPaths: string[];
}

const returnPathsMax = 10;
const returnedTypes =
  /^(?:message\/(?:rfc822|rfc822-headers|global|global-headers|partial)|text\/rfc822(?:-headers)?)$/;

/**
 * Reads a delivery report (RFC 3464) or a feedback report (RFC 5965). Returns null for any other mail, whatever its text says. It may take
 * as long as reading the mail, and never rejects.
 */
export async function readReport(raw: Buffer): Promise<MailReport | null> {
  if (!mayReport(raw)) return null;
  const content = await readMime(raw, () => true).catch(() => null);
  // Some servers write multipart/mixed. Within other types it is a report that somebody forwards.
  const isReport = /^multipart\/(?:report|mixed)$/.test(String(content?.root?.contentType));
  return content && isReport ? assembleReport(content.files) : null;
}

function assembleReport(files: FilePart[]): MailReport | null {
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
