import { ReplyToMessage } from '@postrider/contract';
import type { CreateDraftParams, Message } from 'postrider';
import * as z from 'zod';
import { withId } from '../ids/find-meant.ts';
import { answerDraft } from '../sending/as-draft.ts';
import { FileInputs, readFiles } from '../sending/attachments.ts';
import { checkReply } from '../sending/check-reply.ts';
import { makeClientId } from '../sending/make-client-id.ts';
import { readOriginal } from '../sending/read-original.ts';
import { SentView, viewSentMessage } from '../sending/sent-view.ts';
import { defineTool } from '../tool.ts';
import { MessageId, sendFields } from './fields.ts';

const { cc, bcc, text, html, client_id } = sendFields;

const input = z.strictObject({
  message_id: MessageId,
  text,
  html,
  reply_all: ReplyToMessage.shape.reply_all.meta({ description: undefined }),
  cc,
  bcc,
  attachments: FileInputs,
  client_id,
});

export const replyToMessage = defineTool({
  name: 'reply_to_message',
  title: 'Reply to a message',
  description:
    'Replies in the thread of an email, with its recipients and subject. reply_all adds the other recipients. Refused for automatic ' +
    'mail. A repeated call sends once.',
  effect: 'send',
  repeats: true,
  input,
  output: SentView,
  run: (ctx, args) =>
    withId(ctx, { kind: 'message', id: args.message_id, writes: true }, async (id) => {
      const { message_id: _, attachments: files, client_id: given, ...mail } = args;
      const original = await readOriginal(ctx, id);
      if (original)
        await checkReply(ctx, { messageId: id, inboxId: original.inbox_id, ...wantedRecipients(args) });
      const attachments = await readFiles(ctx, files);
      if (ctx.settings.draftsOnly && original)
        return answerDraft(ctx, { ...replyDraft(original, args), attachments }, args.cc);
      const clientId = makeClientId(ctx, 'reply_to_message', { id, ...mail, attachments }, given);
      const params = { ...mail, attachments, client_id: clientId };
      return viewSentMessage(
        ctx,
        await ctx.client.messages.reply(id, params, { signal: ctx.signal }),
        clientId,
      );
    }),
});

type Reply = z.output<typeof input>;

function wantedRecipients({ reply_all: replyAll = false, cc: copies = [], bcc: hidden = [] }: Reply) {
  return { replyAll, others: [...copies, ...hidden] };
}

/** Cc is left out, because it would replace the other recipients of a reply to all. */
function replyDraft(
  { id, inbox_id }: Message,
  { text: body, html: rich, reply_all, bcc: hidden }: Reply,
): CreateDraftParams {
  return {
    inbox_id,
    reply_to_message_id: id,
    text: body ?? null,
    html: rich ?? null,
    ...(reply_all !== undefined && { reply_all }),
    ...(hidden && { bcc: hidden }),
  };
}
