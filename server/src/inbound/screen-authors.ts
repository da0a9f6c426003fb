/*
 * Applies inbound rules to the author of a mail, who is known once its header is. The rules were applied to the envelope sender at RCPT,
 * for each recipient. A workspace without inbound rules costs nothing here. For others the From is read from the raw header, because mail
 * that arrives fast is acknowledged before it is parsed. If an allow and a block both match, the allow counts unless the mail fails DMARC,
 * which is known once the mail is read.
 */
import type { Authentication } from '@postrider/contract';
import type { Deps } from '../deps.ts';
import { readSenders } from '../mail/parse/read-mailboxes.ts';
import type { SmtpReply } from '../mail/smtp/smtp-callbacks.ts';
import { decideSenders, type SenderVerdict } from '../rules/decide-rule.ts';
import { findInboundRules } from '../rules/find-inbound-rules.ts';
import type { Arrival } from './arrival.ts';

/** The reply if the sender is blocked, by a recipient or by all recipients of a mail. */
export const senderBlocked: SmtpReply = {
  code: 550,
  enhanced: '5.7.1',
  text: 'Recipient does not accept mail from this sender',
};

/** Applies the rules of each recipient to the authors of a mail. */
export async function screenAuthors(
  deps: Pick<Deps, 'db' | 'memory'>,
  { raw, envelopeFrom, recipients }: Arrival,
): Promise<void> {
  const screened = recipients.filter(({ inbox }) => inbox.hasInboundRules);
  if (screened.length === 0) return;
  const senders = readSenders(raw, envelopeFrom);
  const workspaces = Map.groupBy(screened, ({ inbox }) => inbox.workspaceId);
  await Promise.all(
    [...workspaces].map(async ([workspaceId, those]) => {
      const rules = await findInboundRules(deps, { workspaceId, senders });
      for (const recipient of those) recipient.verdict = decideSenders(rules, senders);
    }),
  );
}

/** Returns whether a mail is only taken from its true author, and is from another one. */
export function isForged(verdict: SenderVerdict, authentication: Authentication | null): boolean {
  return verdict === 'unverified' && authentication?.dmarc === 'fail';
}
