import type { Message } from 'postrider';
import * as z from 'zod';
import type { CallContext } from '../context.ts';
import { withId } from '../ids/find-meant.ts';
import { fencedDetail } from '../reading/delivery-text.ts';
import { MessageView, viewMessage } from '../reading/message-view.ts';
import { readFileText } from '../reading/read-file-text.ts';
import { defineTool } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import { Cursor, charsMax, MessageId, maxChars } from './fields.ts';

/** The cursor of a text: where the rest begins. */
export interface TextPlace {
  from: number;
}

export const getMessage = defineTool({
  name: 'get_message',
  title: 'Read a message',
  description:
    'Reads a mail: its new text, who the sender provably is, files, delivery. Pass cursor for the rest of a long text. attachment_id ' +
    'reads a text file of it instead. Answer with reply_to_message.',
  effect: 'read',
  input: z.strictObject({
    message_id: MessageId,
    with_quotes: z.boolean().default(false).meta({ description: 'Also the quoted history.' }),
    attachment_id: z.string().optional(),
    max_chars: maxChars(charsMax.message),
    cursor: Cursor,
  }),
  output: MessageView,
  run: (ctx, { cursor, max_chars, with_quotes, attachment_id, message_id }) =>
    withId(ctx, { kind: 'message', id: message_id, writes: false }, async (id) => {
      const message = await ctx.client.messages.get(id, { signal: ctx.signal });
      await ctx.scope.check(message.inbox_id, 'message');
      const scope = { tool: 'get_message', args: { id, with_quotes, attachment_id } };
      const { from } = cursor === undefined ? { from: 0 } : ctx.signer.read<TextPlace>(scope, cursor);
      const next = (_: Message, rest: number) => ctx.signer.sign(scope, { from: rest } satisfies TextPlace);
      const shown = attachment_id === undefined ? message : await withFileText(ctx, message, attachment_id);
      const wanted = { max: max_chars, from, withQuotes: with_quotes };
      const view = viewMessage(ctx, shown, wanted, next);
      const more = { ...deliveryStates(ctx, message), ...linkAttachments(message, view) };
      return { ...view, ...more, ...(await seenBefore(ctx, message, view)) };
    }),
});

async function withFileText(ctx: CallContext, message: Message, attachmentId: string): Promise<Message> {
  const file = message.attachments.find(({ id }) => id === attachmentId);
  if (file === undefined)
    throw new ToolError(
      'not_found',
      'attachment_id: is no file of this mail.',
      'Take one of its attachments.',
    );
  const text = await readFileText(ctx, file);
  return { ...message, extracted_text: text, body_text: text };
}

/** Links are for one mail at a time, because each is as long as a paragraph. */
function linkAttachments({ attachments }: Message, view: MessageView): Pick<MessageView, 'attachments'> {
  const urls = new Map(attachments.map(({ id, url }) => [id, url]));
  const files = view.attachments?.map((file) => ({ ...file, url: urls.get(file.attachment_id) }));
  return files === undefined ? {} : { attachments: files };
}

/** Returns the state of the delivery to each recipient. */
function deliveryStates({ fence }: CallContext, { recipients }: Message): Pick<MessageView, 'recipients'> {
  if (recipients.length === 0) return {};
  const shown = recipients.map((recipient) => {
    const detail = fencedDetail(recipient, fence);
    const { address, status } = recipient;
    return { address: fence.line(address), status, ...(detail !== null && { detail }) };
  });
  return { recipients: shown };
}

/** Whether this inbox had mail from the same address before: strangers ask for more than friends. */
async function seenBefore(
  { client, signal }: CallContext,
  { direction, inbox_id, from_addr: from, created_at: before }: Message,
  { sender }: MessageView,
): Promise<Pick<MessageView, 'sender'>> {
  if (direction !== 'inbound' || sender === undefined) return {};
  try {
    const { messages } = await client.messages.list(
      { inbox_id, from, before, direction: 'inbound', limit: 1 },
      { signal, maxRetries: 0 },
    );
    return { sender: { ...sender, seen_before: messages.length > 0 } };
  } catch {
    // A sender may have an address by which nothing can be looked up. The mail is readable all the same.
    return {};
  }
}
