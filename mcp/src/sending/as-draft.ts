/*
 * With `--drafts-only`, the tools that send create drafts. A person reviews and sends them.
 */
import { limits } from '@postrider/contract';
import type { CreateDraftParams, Draft, Message } from 'postrider';
import type { CallContext } from '../context.ts';
import { messageText } from '../reading/message-view.ts';
import { checkRecipients } from './recipients.ts';
import { type SentView, viewRecipients } from './sent-view.ts';

/**
 * Creates a draft. The recipients that the server fills in must be allowed, too. `copies` are added to the Cc that is filled in.
 *
 * @throws ToolError `recipient_not_allowed`; no draft is left.
 */
export async function makeDraft(
  ctx: CallContext,
  params: CreateDraftParams,
  copies: string[] = [],
): Promise<Draft> {
  const { client, signal } = ctx;
  const made = await client.drafts.create(withoutEmptyLists(params), { signal });
  try {
    const cc = [...made.cc, ...copies];
    const draft = copies.length === 0 ? made : await client.drafts.update(made.id, { cc }, { signal });
    checkRecipients(ctx, [...draft.to, ...draft.cc, ...draft.bcc]);
    return draft;
  } catch (error) {
    // Also after the call was cancelled.
    await client.drafts.delete(made.id);
    throw error;
  }
}

/** An empty list would replace the recipients that are filled in for a reply, and the send would fill them in again. */
function withoutEmptyLists({ to, cc, bcc, ...params }: CreateDraftParams): CreateDraftParams {
  const given = Object.entries({ to, cc, bcc }).filter(([, list]) => list !== undefined && list.length > 0);
  return { ...params, ...Object.fromEntries(given) };
}

/** Creates a draft instead of sending a mail, and returns the result of the tool. */
export async function answerDraft(
  ctx: CallContext,
  params: CreateDraftParams,
  copies: string[] = [],
): Promise<SentView> {
  const draft = await makeDraft(ctx, params, copies);
  ctx.note('Nothing was sent. This is a draft, which a person has to send: tell them about it.');
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
    messageText(message, true),
  ];
  const forwarded = /^(?:fwd?|wg):/i.test(subject) ? subject : `Fwd: ${subject}`;
  return {
    subject: [...forwarded].slice(0, limits.subjectCharactersMax).join(''),
    text: [...(above === undefined ? [] : [above, '']), ...lines].join('\n'),
  };
}
