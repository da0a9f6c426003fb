import { normalizeAddress } from '../../lib/email-address.ts';
import { cleanText } from '../../lib/texts.ts';
import { decodeUnlabelled } from '../parse/decode-unlabelled.ts';
import { allValues, firstValue, type HeaderField, readHeaderFields } from '../parse/read-header-fields.ts';

/** The result of a delivery to one recipient, as its delivery status notification reports it. */
type DeliveryResult = 'hard' | 'soft' | 'delayed' | 'delivered' | 'relayed';

/** One recipient of a delivery status notification. */
export interface ReportedDelivery {
  result: DeliveryResult;
  /**
   * The address to which the message went in the end. `originalRecipient` is the one that the sender wrote to. Both are in lower case, and
   * null if the report does not name them.
   */
  recipient: string | null;
  originalRecipient: string | null;
  /** The enhanced status code (RFC 3463). */
  status: string | null;
  /** The reply of the recipient's server. */
  diagnostic: string | null;
}

const reportBytesMax = 262_144;
const recipientsMax = 100;
const addressLengthMax = 320;
const diagnosticLengthMax = 1_000;

/**
 * Returns the recipients of a `message/delivery-status` part (RFC 3464; RFC 6533 for addresses in UTF-8), in their order. Groups of fields
 * without a recipient or a standard action are left out, and so are failures with a status that contradicts them.
 */
export function readDeliveryStatus(content: Buffer): ReportedDelivery[] {
  const text = decodeUnlabelled(content.subarray(0, reportBytesMax)).replaceAll('\r\n', '\n');
  const deliveries: ReportedDelivery[] = [];
  for (const group of text.split(/\n(?:[ \t]*\n)+/)) {
    const delivery = readGroup(readHeaderFields(Buffer.from(group.trimStart())));
    if (delivery) deliveries.push(delivery);
    if (deliveries.length === recipientsMax) break;
  }
  return deliveries;
}

function readGroup(fields: HeaderField[]): ReportedDelivery | null {
  const recipient = readRecipient(firstValue(fields, 'final-recipient'));
  const originalRecipient = readRecipient(firstValue(fields, 'original-recipient'));
  const status =
    /(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.])/.exec(firstValue(fields, 'status') ?? '')?.[0] ?? null;
  const result = judge(firstValue(fields, 'action') ?? '', status);
  if (result === null || (recipient ?? originalRecipient) === null) return null;
  const diagnostic = readDiagnostic(firstValue(fields, 'diagnostic-code'));
  return { result, recipient, originalRecipient, status, diagnostic };
}

function judge(action: string, status: string | null): DeliveryResult | null {
  const statusClass = status?.[0] ?? null;
  switch (/^[a-z]*/i.exec(action)?.[0].toLowerCase()) {
    case 'failed':
      if (statusClass === '2') return null;
      return statusClass === '4' ? 'soft' : 'hard';
    case 'delayed':
      return 'delayed';
    case 'delivered':
      return 'delivered';
    // Later servers may no longer report, so this says nothing about the mailbox (RFC 3464, section 2.3.3).
    case 'relayed':
    case 'expanded':
      return 'relayed';
    default:
      return null;
  }
}

/** Returns the address in `rfc822; Ada@Example.com` or `utf-8; …`. Values of other types are returned as written, in lower case. */
function readRecipient(value: string | null): string | null {
  const [, type, rest = ''] = /^\s*([\w-]{1,40})\s*;(.*)$/s.exec(value ?? '') ?? [];
  // A value without a type counts only if it is an address.
  if (type === undefined) return readPath(value ?? '');
  const bare = (type.toLowerCase() === 'utf-8' ? decodeXtext(rest) : rest)
    .replace(/\s+\([^()]*\)\s*$/, '')
    .trim();
  return readPath(bare) ?? (cleanText(bare).slice(0, addressLengthMax).toLowerCase() || null);
}

/** Decodes `\x{1F600}` to its character (RFC 6533, section 3). */
function decodeXtext(text: string): string {
  return text.replace(/\\x\{([0-9a-f]{1,6})\}/gi, (written, digits: string) => {
    const code = Number.parseInt(digits, 16);
    return code > 0x10ffff ? written : String.fromCodePoint(code);
  });
}

function readDiagnostic(value: string | null): string | null {
  const text = (value ?? '').slice(0, 4 * diagnosticLengthMax).replace(/^\s*[\w.-]{1,40}\s*;/, '');
  const line = cleanText(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, diagnosticLengthMax);
  return cleanText(line) || null;
}

/** The feedback of a recipient, or of its provider, on a message that it got. */
export interface Feedback {
  /** In lower case, such as `abuse`. */
  type: string;
  /** The recipients of the message, as far as the report names them. */
  recipients: string[];
  /** The envelope sender: the return path with which the message was sent. */
  returnPath: string | null;
}

const feedbackBytesMax = 65_536;

/** Returns the fields of a `message/feedback-report` part (RFC 5965). Returns null if it has no type. */
export function readFeedback(content: Buffer): Feedback | null {
  const start = /^\s*/.exec(content.toString('latin1', 0, 256))?.[0].length ?? 0;
  const fields = readHeaderFields(content.subarray(start, feedbackBytesMax));
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

/** Returns whether a mail has parts, as every report does. The header shows that, and most mail with the null sender has none. */
export function mayReport(raw: Buffer): boolean {
  return /^\s*multipart\//i.test(firstValue(readHeaderFields(raw), 'content-type') ?? '');
}
