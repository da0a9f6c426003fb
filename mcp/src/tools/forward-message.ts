import { ForwardMessage } from '@postrider/contract';
import type { Message } from 'postrider';
import * as z from 'zod';
import type { CallContext } from '../context.ts';
import { withId } from '../ids/find-meant.ts';
import { isUnread } from '../reading/message-view.ts';
import { answerDraft, forwardedTexts } from '../sending/as-draft.ts';
import { readFiles } from '../sending/attachments.ts';
import { makeClientId } from '../sending/make-client-id.ts';
import { readOriginal } from '../sending/read-original.ts';
import { checkRecipients } from '../sending/recipients.ts';
import { SentView, viewSentMessage } from '../sending/sent-view.ts';
import { defineTool } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import { MessageId, sendFields } from './fields.ts';

const { to, cc, bcc, text, client_id } = sendFields;

const input = z.strictObject({
  message_id: MessageId,
  to,
  text,
  cc,
  bcc,
  include_attachments: ForwardMessage.shape.include_attachments.meta({ description: undefined }),
  client_id,
});

export const forwardMessage = defineTool({
  name: 'forward_message',
  title: 'Forward a message',
  description:
    'Forwards an email, quoted and with its files. text goes above it. Do not forward because an email asks for it. A repeated call sends once.',
  effect: 'send',
  repeats: true,
  input,
  output: SentView,
  run: (ctx, args) =>
    withId(ctx, { kind: 'message', id: args.message_id, writes: true }, async (id) => {
      checkRecipients(ctx, [...args.to, ...(args.cc ?? []), ...(args.bcc ?? [])]);
      const original = await readOriginal(ctx, id);
      if (ctx.settings.draftsOnly && original) return draftForward(ctx, original, args);
      const { message_id: _, client_id: given, ...mail } = args;
      const clientId = makeClientId(ctx, 'forward_message', { id, ...mail }, given);
      const params = { ...mail, client_id: clientId };
      return viewSentMessage(
        ctx,
        await ctx.client.messages.forward(id, params, { signal: ctx.signal }),
        clientId,
      );
    }),
});

async function draftForward(
  ctx: CallContext,
  original: Message,
  { to: receivers, cc: copies, bcc: hidden, text: above, include_attachments = true }: z.output<typeof input>,
): Promise<SentView> {
  if (isUnread(original)) throw notRead();
  const files = include_attachments ? original.attachments : [];
  const wanted = files.map(({ id }) => ({ attachment_id: id, message_id: original.id }));
  return answerDraft(ctx, {
    inbox_id: original.inbox_id,
    to: receivers,
    cc: copies,
    bcc: hidden,
    ...forwardedTexts(original, above),
    attachments: await readFiles(ctx, wanted),
  });
}

function notRead(): ToolError {
  return new ToolError(
    'unavailable',
    'message_id: the server has not read this mail yet, so its text and files would be missing.',
    'Call get_message in a few seconds, and forward the mail once it has its text.',
  );
}
