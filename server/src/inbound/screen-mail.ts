/*
 * Applies inbound rules to the author of a mail, who is known once its header is. The rules were applied to the envelope sender at RCPT,
 * for each recipient. A workspace without inbound rules costs nothing here. For others the From is read from the raw header, because mail
 * that arrives fast is acknowledged before it is parsed. If an allow and a block both match, the allow counts unless the mail fails DMARC,
 * which is known once the mail is read.
 */
import type { Authentication } from '@postrider/contract';
import type { Deps } from '../deps.ts';
import type { InboxAddress } from '../inboxes/find-inbox.ts';
import { readSenders } from '../mail/parse/read-from.ts';
import { decideSenders, type SenderVerdict } from '../rules/decide-rule.ts';
import { findInboundRules } from '../rules/find-inbound-rules.ts';

/** An accepted recipient: the address as given, with its plus tag, and its inbox. */
export interface Recipient {
  given: string;
  inbox: InboxAddress;
}

/** A recipient with the verdict of its rules on the author; `unverified` takes the mail unless it fails DMARC. */
export interface ScreenedRecipient extends Recipient {
  verdict: SenderVerdict;
}

/** The reply if the sender is blocked, by a recipient or by all recipients of a mail. */
export const senderBlocked = {
  code: 550,
  enhanced: '5.7.1',
  text: 'Recipient does not accept mail from this sender',
};

/** Applies the rules of each recipient to the authors of a mail. */
export async function screenMail(
  deps: Pick<Deps, 'db' | 'memory'>,
  mail: { raw: Buffer; envelopeFrom: string },
  recipients: Recipient[],
): Promise<ScreenedRecipient[]> {
  const asked = [...new Set(recipients.map(workspaceWithRules))].filter((id) => id !== null);
  if (asked.length === 0) return recipients.map((recipient) => ({ ...recipient, verdict: 'take' }));
  const senders = readSenders(mail.raw, mail.envelopeFrom);
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
}

/** Settles the verdicts once authentication has shown who sent the mail. */
export function settleVerdicts(
  recipients: ScreenedRecipient[],
  authentication: Authentication | null,
): { taken: Recipient[]; blocked: Recipient[] } {
  const isForged = authentication?.dmarc === 'fail';
  const isBlocked = ({ verdict }: ScreenedRecipient) =>
    verdict === 'block' || (verdict === 'unverified' && isForged);
  return {
    taken: recipients.filter((recipient) => !isBlocked(recipient)),
    blocked: recipients.filter(isBlocked),
  };
}

function workspaceWithRules({ inbox }: Recipient): string | null {
  return inbox.hasInboundRules ? inbox.workspaceId : null;
}
