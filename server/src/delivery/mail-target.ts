import type { InboxAddress } from '../inboxes/find-inbox.ts';
import type { SmtpReply } from '../mail/smtp/smtp-callbacks.ts';
import type { RecipientKey } from './record-outcome.ts';

/** The inbox that mail to an accepted recipient goes to. */
export interface MailTarget extends InboxAddress {
  /** Present for a return path: the recipient that a report sent there is about. */
  reportsOn?: RecipientKey;
  /** Present with `reportsOn` if there is no room for mail that is no report: the reply to its sender. */
  deferral?: SmtpReply;
}
