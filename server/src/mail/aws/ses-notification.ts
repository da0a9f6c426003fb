/*
 * Reads what Amazon SES reports on mail that it accepted, in its two formats: notifications of an identity, with `notificationType`, and
 * events of a configuration set, with `eventType`. A `Permanent` bounce is hard. A `Transient` one is soft, and so is `Undetermined`, for
 * which SES itself does not know the cause.
 */
import * as z from 'zod';
import { parseMailbox } from '../../lib/email-address.ts';
import { cleanText } from '../../lib/texts.ts';
import type { ReportedDelivery } from '../reports/report-parts.ts';

/** The outcome of a message for one recipient. */
export type SesOutcome =
  | ({ kind: 'delivery' } & Pick<ReportedDelivery, 'result' | 'status' | 'diagnostic'>)
  | { kind: 'complaint'; feedbackType: string | null }
  | { kind: 'rejection'; reason: string };

/** The contents of a notification. */
export interface SesReport {
  /** The id that SES returned when it accepted the message. */
  providerMessageId: string;
  sentAt: Date;
  /** The outcomes by recipient; `address` is null if the outcome is the same for all. */
  outcomes: { address: string | null; outcome: SesOutcome }[];
}

const textLengthMax = 500;
/** Twice the number that SES accepts for one message. */
const recipientsMax = 100;

const text = z.string().transform((value) => cleanText(value.slice(0, textLengthMax)));
const optionalText = text.nullish().transform((value) => value || null);
const address = z.string().transform((value) => parseMailbox(value)?.address ?? value.toLowerCase());
function some<T extends z.ZodType>(each: T) {
  return z.array(each).max(recipientsMax);
}
/** A diagnostic without the type at its start, as in `smtp; 550 5.1.1 No such user`. */
const diagnostic = optionalText.transform((value) => value?.replace(/^[\w.-]+;\s*/, '') || null);
const Recipient = z.object({ emailAddress: address, status: optionalText, diagnosticCode: diagnostic });

const details = {
  Bounce: z.object({
    bounce: z.object({ bounceType: text, bounceSubType: optionalText, bouncedRecipients: some(Recipient) }),
  }),
  Complaint: z.object({
    complaint: z.object({ complainedRecipients: some(Recipient), complaintFeedbackType: optionalText }),
  }),
  Delivery: z.object({ delivery: z.object({ recipients: some(address), smtpResponse: optionalText }) }),
  DeliveryDelay: z.object({
    deliveryDelay: z.object({ delayType: optionalText, delayedRecipients: some(Recipient) }),
  }),
  Reject: z.object({ reject: z.object({ reason: optionalText }) }),
};

const Notification = z.object({
  notificationType: z.string().optional(),
  eventType: z.string().optional(),
  mail: z.object({ messageId: z.string().min(1).max(255), timestamp: z.iso.datetime({ offset: true }) }),
});

/** Returns the report in a notification. Returns null if the text is not one, such as the message in which SES announces notifications. */
export function readSesNotification(json: string): SesReport | null {
  try {
    const value: unknown = JSON.parse(json);
    const { mail, notificationType, eventType } = Notification.parse(value);
    const outcomes = readOutcomes(eventType ?? notificationType, value);
    return { providerMessageId: mail.messageId, sentAt: new Date(mail.timestamp), outcomes };
  } catch {
    return null;
  }
}

/** Returns no outcomes for kinds that say nothing about a delivery, such as `Send` and `Open`. */
function readOutcomes(kind: string | undefined, value: unknown): SesReport['outcomes'] {
  switch (kind) {
    case 'Bounce':
      return readBounce(details.Bounce.parse(value));
    case 'Complaint':
      return readComplaint(details.Complaint.parse(value));
    case 'Delivery': {
      const { recipients, smtpResponse } = details.Delivery.parse(value).delivery;
      return recipients.map((each) => ({
        address: each,
        outcome: { kind: 'delivery', result: 'delivered', status: null, diagnostic: smtpResponse },
      }));
    }
    case 'DeliveryDelay': {
      const { delayType, delayedRecipients } = details.DeliveryDelay.parse(value).deliveryDelay;
      return delayedRecipients.map(({ emailAddress, status, diagnosticCode }) => ({
        address: emailAddress,
        outcome: { kind: 'delivery', result: 'delayed', status, diagnostic: diagnosticCode ?? delayType },
      }));
    }
    case 'Reject': {
      const { reason } = details.Reject.parse(value).reject;
      return [{ address: null, outcome: { kind: 'rejection', reason: reason ?? 'rejected by Amazon SES' } }];
    }
    default:
      return [];
  }
}

function readBounce({ bounce }: z.infer<(typeof details)['Bounce']>): SesReport['outcomes'] {
  const { bounceType, bounceSubType, bouncedRecipients } = bounce;
  const result = bounceType === 'Permanent' ? 'hard' : 'soft';
  const kindOfBounce = [bounceType, bounceSubType].filter(Boolean).join('/');
  return bouncedRecipients.map(({ emailAddress, status, diagnosticCode }) => ({
    address: emailAddress,
    outcome: { kind: 'delivery', result, status, diagnostic: diagnosticCode ?? kindOfBounce },
  }));
}

/** Feedback that is no complaint: the opposite of one, and failed authentication, since someone else may have sent that mail. */
const noComplaints: (string | null)[] = ['not-spam', 'auth-failure'];

function readComplaint({ complaint }: z.infer<(typeof details)['Complaint']>): SesReport['outcomes'] {
  const { complainedRecipients, complaintFeedbackType: feedbackType } = complaint;
  if (noComplaints.includes(feedbackType)) return [];
  return complainedRecipients.map(({ emailAddress }) => ({
    address: emailAddress,
    outcome: { kind: 'complaint', feedbackType },
  }));
}

/**
 * Returns the Message-IDs that a message accepted by Amazon SES may have, since SES replaces the one that it was sent with. The domain of
 * the id depends on the region. The first region, us-east-1, uses `email.amazonses.com`, and so do compatible services.
 */
export function sesMessageIds(providerMessageId: string, region: string): string[] {
  return [`<${providerMessageId}@${region}.amazonses.com>`, `<${providerMessageId}@email.amazonses.com>`];
}

/** Returns the region of a host name of the SMTP interface of Amazon SES. Returns null for any other host. */
export function sesRegion(host: string): string | null {
  return (
    /^email-smtp(?:-fips)?\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/i.exec(host)?.[1]?.toLowerCase() ?? null
  );
}
