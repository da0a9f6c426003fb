import type { SesOutcome } from '../mail/ses-notification.ts';
import {
  type DeliveryChange,
  decideComplaint,
  event,
  evidence,
  type Reported,
  settled,
  underway,
} from './delivery-outcome.ts';

/** What it means for a recipient that Amazon SES tells this of a message which it took. */
export const decideSesOutcome = (outcome: SesOutcome, reported: Reported): DeliveryChange => {
  switch (outcome.kind) {
    case 'bounced': {
      const { type, code, diagnostic } = outcome;
      return {
        ...settled('bounced', diagnostic),
        ...evidence,
        fromStatuses: [...evidence.fromStatuses, 'delivered'],
        suppression: `${type}_bounce`,
        events: [event(reported, 'message.bounced', { bounce: { type, code, diagnostic } })],
      };
    }
    case 'complained':
      return decideComplaint(outcome.feedbackType, reported);
    case 'delivered':
      return {
        ...settled('delivered', outcome.detail),
        ...evidence,
        events: [event(reported, 'message.delivered', {})],
      };
    case 'delayed':
      // It is tried again by SES, so that nothing is decided; the sender may want to know.
      return {
        ...settled('sent', `delayed: ${outcome.detail}`),
        fromStatuses: ['sent'],
        isEvidence: true,
      };
    case 'rejected':
      return {
        ...settled('rejected', outcome.reason),
        fromStatuses: [...underway, 'sent'],
        isEvidence: true,
        events: [event(reported, 'message.rejected', { reason: outcome.reason })],
      };
  }
};
