import type { ReportedDelivery } from '../mail/reports/dsn.ts';
import type { MailReport } from '../mail/reports/read-report.ts';
import {
  type DeliveryChange,
  decideComplaint,
  event,
  evidence,
  type Reported,
  settled,
} from './delivery-outcome.ts';

/** Best first: where a report tells of several recipients, the best of it counts. */
const results = ['delivered', 'relayed', 'delayed', 'soft', 'hard'] as const;

/**
 * Types of feedback that are complaints: those of RFC 5965, and `opt-out`, by which somebody wants no more mail. `not-spam` is the
 * opposite, and `auth-failure` (RFC 6591) tells of what somebody else may have sent in our name.
 */
const complaintTypes = new Set(['abuse', 'fraud', 'virus', 'other', 'opt-out', 'opt-out-list']);

/** What a report that came back for one recipient means; null when it says nothing of a delivery. */
export const decideReport = (report: MailReport, reported: Reported): DeliveryChange | null => {
  const { feedback } = report;
  if (feedback) return isComplaint(report) ? decideComplaint(feedback.type, reported) : null;
  const delivery = chooseDelivery(report.deliveries, reported.recipient);
  return delivery ? decideReported(delivery, reported) : null;
};

/** Whether a report is a complaint, and not only feedback. */
export const isComplaint = ({ feedback }: MailReport): boolean =>
  feedback !== null && complaintTypes.has(feedback.type);

/** The deliveries that name the recipient, or all where none does: it may have been forwarded to others. */
const chooseDelivery = (deliveries: ReportedDelivery[], recipient: string): ReportedDelivery | undefined => {
  const own = deliveries.filter((each) => isAbout(each, recipient));
  const candidates = own.length > 0 ? own : deliveries;
  return candidates.toSorted((a, b) => results.indexOf(a.result) - results.indexOf(b.result))[0];
};

/** Whether a delivery names the recipient itself. */
const isAbout = (delivery: ReportedDelivery, recipient: string): boolean =>
  delivery.recipient === recipient || delivery.originalRecipient === recipient;

/** What it means for a recipient that somebody else reports this of a delivery. */
export const decideReported = (
  { result, status, diagnostic }: Pick<ReportedDelivery, 'result' | 'status' | 'diagnostic'>,
  reported: Reported,
): DeliveryChange => {
  const said = diagnostic ?? status;
  switch (result) {
    case 'hard':
    case 'soft':
      return {
        ...settled('bounced', said),
        ...laterEvidence,
        suppression: `${result}_bounce`,
        events: [
          event(reported, 'message.bounced', {
            bounce: { type: result, code: status ?? replyCodeOf(diagnostic), diagnostic },
          }),
        ],
      };
    case 'delivered':
      return {
        ...settled('delivered', said),
        ...evidence,
        events: [event(reported, 'message.delivered', {})],
      };
    case 'delayed':
    case 'relayed':
      // Nothing is decided by it, and the sender may still want to know.
      return {
        ...settled('sent', said === null ? result : `${result}: ${said}`),
        fromStatuses: ['sent'],
        isEvidence: true,
      };
  }
};

/** What comes back may do so after a server on the way called the message delivered. */
const laterEvidence: Pick<DeliveryChange, 'fromStatuses' | 'isEvidence'> = {
  ...evidence,
  fromStatuses: [...evidence.fromStatuses, 'delivered'],
};

const replyCodeOf = (diagnostic: string | null): string | null =>
  /^[245]\d\d(?=[ -]|$)/.exec(diagnostic ?? '')?.[0] ?? null;
