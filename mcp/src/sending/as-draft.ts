/*
 * With `--drafts-only`, the tools that send make drafts. A person reads and sends them.
 */
import type { CreateDraftParams, Draft, Message } from 'postrider';
import type { CallContext } from '../context.ts';
import { textOf } from '../reading/message-view.ts';
import { type SentView, viewRecipients } from './sent-view.ts';

/** Makes a draft in place of a mail, and returns the answer of the tool. */
export async function answerDraft(ctx: CallContext, params: CreateDraftParams): Promise<SentView> {
  const draft = await ctx.client.drafts.create(params, { signal: ctx.signal });
  ctx.note('Nothing was sent: this is a draft, which a person has to send. Tell them that it is there.');
  return viewDraftOutcome(ctx, draft);
}

function viewDraftOutcome(ctx: CallContext, draft: Draft): SentView {
  return { outcome: 'drafted', draft_id: draft.id, ...viewRecipients(ctx, draft), status: draft.status };
}

/** Returns the texts of a draft that forwards a mail, as a mail program would write them. */
export function forwardedTexts(
  message: Message,
  above: string | undefined,
): { subject: string; text: string } {
  const { from_name: name, from_addr: address, subject } = message;
  const lines = [
    '---------- Forwarded message ----------',
    `From: ${name ? `${name} <${address}>` : address}`,
    `Date: ${message.created_at}`,
    `Subject: ${subject}`,
    `To: ${message.to_addrs.join(', ')}`,
    '',
    textOf(message, true),
  ];
  return {
    subject: /^(?:fwd?|wg):/i.test(subject) ? subject : `Fwd: ${subject}`,
    text: [...(above === undefined ? [] : [above, '']), ...lines].join('\n'),
  };
}
