import type { InboxAddress } from '../inboxes/find-inbox.ts';
import type { SmtpReply } from '../mail/smtp/smtp-callbacks.ts';
import type { RecipientKey } from './record-delivery.ts';

/** Where mail to an accepted recipient goes. */
export interface MailTarget extends InboxAddress {
  /** Given for a return path: the recipient of an earlier message that a report which comes there is about. */
  reportsOn?: RecipientKey;
  /** Given beside it where there is no room for mail that is no such report: what its sender hears. */
  deferral?: SmtpReply;
}
