/*
 * Inbound rules on the author of a mail, which is known once its header is. The sender of the envelope was decided at RCPT, for
 * each recipient. A workspace without inbound rules costs nothing here; for another one the From is read from the raw header,
 * because mail that comes fast is acknowledged before it is parsed. An allow that stands against a block counts only if the
 * mail does not fail DMARC, which is known once the mail is read.
 */
import type { Authentication } from '@postrider/contract';
import type { Deps } from '../deps.ts';
import type { InboxAddress } from '../inboxes/find-inbox.ts';
import { readAuthors } from '../mail/parse/read-mailboxes.ts';
import { decideSenders, type SenderVerdict } from '../rules/decide-rule.ts';
import { findInboundRules } from '../rules/find-inbound-rules.ts';

/** A recipient that was accepted: the address as given, with its plus tag, and the inbox that it reaches. */
export interface Recipient {
  given: string;
  inbox: InboxAddress;
}

/** A recipient whose rules were asked about the author; `unverified` takes the mail unless it fails DMARC. */
export interface ScreenedRecipient extends Recipient {
  verdict: SenderVerdict;
}

/** The answer for a recipient, or for a mail, whose sender is blocked. */
export const senderBlocked = {
  code: 550,
  enhanced: '5.7.1',
  text: 'The recipient does not take mail from this sender',
};

/** Asks the rules of each recipient about the authors of a mail. */
export const screenMail = async (
  deps: Pick<Deps, 'db'>,
  mail: { raw: Buffer; envelopeFrom: string },
  recipients: Recipient[],
): Promise<ScreenedRecipient[]> => {
  const asked = [...new Set(recipients.map(workspaceWithRules))].filter((id) => id !== null);
  if (asked.length === 0) return recipients.map((recipient) => ({ ...recipient, verdict: 'take' }));
  const senders = readAuthors(mail.raw, mail.envelopeFrom);
  const verdicts = new Map<string, SenderVerdict>();
  await Promise.all(
    asked.map(async (workspaceId) => {
      const rules = await findInboundRules(deps, { workspaceId, senders });
      verdicts.set(workspaceId, decideSenders(rules, senders));
    }),
  );
  return recipients.map((recipient) => ({
    ...recipient,
    verdict: verdicts.get(recipient.inbox.workspaceId) ?? 'take',
  }));
};

/** What the verdicts come to once it is known who really sent the mail. */
export const settleVerdicts = (
  recipients: ScreenedRecipient[],
  authentication: Authentication | null,
): { taken: Recipient[]; blocked: Recipient[] } => {
  const isForged = authentication?.dmarc === 'fail';
  const isBlocked = ({ verdict }: ScreenedRecipient) =>
    verdict === 'block' || (verdict === 'unverified' && isForged);
  return {
    taken: recipients.filter((recipient) => !isBlocked(recipient)),
    blocked: recipients.filter(isBlocked),
  };
};

const workspaceWithRules = ({ inbox }: Recipient): string | null =>
  inbox.hasInboundRules ? inbox.workspaceId : null;
