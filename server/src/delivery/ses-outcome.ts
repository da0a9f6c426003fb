import type { SesOutcome } from '../mail/aws/ses-notification.ts';
import {
  type DeliveryChange,
  decideComplaint,
  event,
  type Reported,
  settled,
  underway,
} from './delivery-outcome.ts';
import { decideReported } from './report-outcome.ts';

/** Returns the outcome that a notification of Amazon SES means for a recipient. */
export function decideSesOutcome(outcome: SesOutcome, reported: Reported): DeliveryChange {
  switch (outcome.kind) {
    case 'delivery':
      return decideReported(outcome, reported);
    case 'complaint':
      return decideComplaint(outcome.feedbackType, reported);
    case 'rejection':
      return {
        ...settled('rejected', outcome.reason),
        fromStatuses: [...underway, 'sent'],
        isEvidence: true,
        events: [event(reported, 'message.rejected', { reason: outcome.reason })],
      };
  }
}
