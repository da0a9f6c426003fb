import * as z from 'zod';
import { writingInbox } from '../ids/inbox-of.ts';
import { answerDraft } from '../sending/as-draft.ts';
import { FileInputs, readFiles } from '../sending/attachments.ts';
import { makeClientId } from '../sending/make-client-id.ts';
import { checkRecipients } from '../sending/recipients.ts';
import { SentView, viewReceipt } from '../sending/sent-view.ts';
import { defineTool } from '../tool.ts';
import { InboxId, sendFields } from './fields.ts';

const { to, cc, bcc, subject, text, html, client_id } = sendFields;

export const sendMessage = defineTool({
  name: 'send_message',
  title: 'Send a message',
  description:
    'Sends a new email. To reply to mail, use reply_to_message. A repeated call sends once. Returns the recipients and those left ' +
    'out. If held, people must approve it: do not send again. To wait for a reply: search_messages with its thread_id.',
  effect: 'send',
  repeats: true,
  input: z.strictObject({
    inbox_id: InboxId,
    to,
    subject,
    text,
    html,
    cc,
    bcc,
    attachments: FileInputs,
    client_id,
  }),
  output: SentView,
  run: (ctx, args) => {
    const { attachments: files, client_id: given, ...mail } = args;
    const recipients = { to: args.to, cc: args.cc ?? [], bcc: args.bcc ?? [] };
    checkRecipients(ctx, Object.values(recipients).flat());
    return writingInbox(ctx, args.inbox_id, async (inbox_id) => {
      const params = { ...mail, inbox_id, attachments: await readFiles(ctx, files) };
      if (ctx.settings.draftsOnly) return answerDraft(ctx, params);
      const clientId = makeClientId(ctx, 'send_message', params, given);
      const sent = await ctx.client.messages.send({ ...params, client_id: clientId }, { signal: ctx.signal });
      return viewReceipt(ctx, sent, recipients, clientId);
    });
  },
});
