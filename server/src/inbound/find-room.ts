import type { Deps } from '../deps.ts';
import type { Addressee } from '../inboxes/find-inbox.ts';
import type { SmtpReply } from '../mail/smtp/smtp-callbacks.ts';
import { hasMailRoom } from '../workspaces/mail-room.ts';
import { hasFilledShare, type MailSender } from './mail-shares.ts';

const diskShort: SmtpReply = {
  code: 452,
  enhanced: '4.3.1',
  text: 'Insufficient disk space, try again later',
};
const mailboxFull: SmtpReply = { code: 452, enhanced: '4.2.2', text: 'The mailbox is full, try again later' };
const shareFilled: SmtpReply = {
  code: 452,
  enhanced: '4.2.2',
  text: 'The mailbox has taken too much mail from this sender, try again tomorrow',
};

/** Returns the reply to a sender whose mail an inbox cannot take for now; null if there is room. */
export const findDeferral = async (
  deps: Pick<Deps, 'db' | 'config' | 'clock' | 'timeScale' | 'disk'>,
  { inbox, mailBytes }: Addressee,
  sender: MailSender,
): Promise<SmtpReply | null> => {
  if (await deps.disk.isShort()) return diskShort;
  const { address, workspaceId, inboxId, plan } = inbox;
  if (!hasMailRoom(deps, { address, workspaceId, plan, mailBytes })) return mailboxFull;
  return hasFilledShare(deps, { inboxId, plan }, sender) ? shareFilled : null;
};
