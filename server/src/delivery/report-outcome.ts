import type { MailReport } from '../mail/reports/read-report.ts';
import type { ReportedDelivery } from '../mail/reports/report-parts.ts';
import {
  type DeliveryChange,
  decideComplaint,
  event,
  evidence,
  type Reported,
  settled,
} from './delivery-outcome.ts';

/** Best first: of several deliveries in a report, the best one counts. */
const results = ['delivered', 'relayed', 'delayed', 'soft', 'hard'] as const;

/**
 * Types of feedback that are complaints: those of RFC 5965, and `opt-out`, which means that the recipient wants no more mail. `not-spam` is
 * the opposite, and `auth-failure` (RFC 6591) reports mail that somebody else may have sent in our name.
 */
const complaintTypes = new Set(['abuse', 'fraud', 'virus', 'other', 'opt-out', 'opt-out-list']);

/** Returns the outcome that a report to the return path of a recipient means; null if it says nothing about a delivery. */
export function decideReport(report: MailReport, reported: Reported): DeliveryChange | null {
  const { feedback } = report;
  if (feedback) return isComplaint(report) ? decideComplaint(feedback.type, reported) : null;
  const delivery = chooseDelivery(report.deliveries, reported.recipient);
  return delivery ? decideReported(delivery, reported) : null;
}

/** Returns whether a report is a complaint, and not just feedback. */
export function isComplaint({ feedback }: MailReport): boolean {
  return feedback !== null && complaintTypes.has(feedback.type);
}

/** Returns the deliveries that name the recipient, or all if none does, because the message may have been forwarded. */
function chooseDelivery(deliveries: ReportedDelivery[], recipient: string): ReportedDelivery | undefined {
  const own = deliveries.filter((each) => isAbout(each, recipient));
  const candidates = own.length > 0 ? own : deliveries;
  return candidates.toSorted((a, b) => results.indexOf(a.result) - results.indexOf(b.result))[0];
}

/** Returns whether a delivery names the recipient. */
function isAbout(delivery: ReportedDelivery, recipient: string): boolean {
  return delivery.recipient === recipient || delivery.originalRecipient === recipient;
}

/** Returns the outcome that a delivery status means for a recipient. */
export function decideReported(
  { result, status, diagnostic }: Pick<ReportedDelivery, 'result' | 'status' | 'diagnostic'>,
  reported: Reported,
): DeliveryChange {
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
      // It decides nothing, but the sender may want to know it.
      return {
        ...settled('sent', said === null ? result : `${result}: ${said}`),
        fromStatuses: ['sent'],
        isEvidence: true,
      };
  }
}

/** A report may arrive after a server on the way has called the message delivered. */
const laterEvidence: Pick<DeliveryChange, 'fromStatuses' | 'isEvidence'> = {
  ...evidence,
  fromStatuses: [...evidence.fromStatuses, 'delivered'],
};

function replyCodeOf(diagnostic: string | null): string | null {
  return /^[245]\d\d(?=[ -]|$)/.exec(diagnostic ?? '')?.[0] ?? null;
}
