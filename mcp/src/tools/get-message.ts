import { UpdateMessage } from '@postrider/contract';
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

/** The cursor of a text: the place where the rest begins. */
export interface TextPlace {
  from: number;
}

const fields = {
  message_id: MessageId,
  with_quotes: z.boolean().default(false).meta({ description: 'Include the quoted history.' }),
  attachment_id: z.string().optional(),
  max_chars: maxChars(charsMax.message),
  cursor: Cursor,
};

const plain = { description: undefined };
const { read: mark_read, add_labels, remove_labels } = UpdateMessage.shape;
const marks = {
  mark_read: mark_read.meta(plain),
  add_labels: add_labels.meta(plain),
  remove_labels: remove_labels.meta(plain),
};

const named = { name: 'get_message', title: 'Read a message', output: MessageView } as const;
const description =
  'Reads an email: its new text, its proven sender, files and delivery. cursor gets the rest of a long text, attachment_id the ' +
  'text of a file. To reply: reply_to_message.';

/** Reads a mail and changes nothing. */
const readMessage = defineTool({
  ...named,
  description,
  effect: 'read',
  input: z.strictObject(fields),
  run: (ctx, args) => read(ctx, args),
});

export const getMessage = defineTool({
  ...named,
  description: `${description} Changes it only with mark_read or labels.`,
  effect: 'write',
  repeats: true,
  reading: readMessage,
  input: z.strictObject({ ...fields, ...marks }),
  run: (ctx, args) => read(ctx, args),
});

type ReadArguments = z.output<z.ZodObject<typeof fields>> & Partial<z.output<z.ZodObject<typeof marks>>>;

function read(ctx: CallContext, args: ReadArguments): Promise<MessageView> {
  const { cursor, max_chars, with_quotes, attachment_id, message_id } = args;
  const changes = readChanges(args);
  return withId(ctx, { kind: 'message', id: message_id, writes: changes !== null }, async (id) => {
    const found = await ctx.client.messages.get(id, { signal: ctx.signal });
    await ctx.scope.check(found.inbox_id, 'message');
    const scope = { tool: 'get_message', args: { id, with_quotes, attachment_id } };
    const { from } = cursor === undefined ? { from: 0 } : ctx.signer.read<TextPlace>(scope, cursor);
    const next = (_: Message, rest: number) => ctx.signer.sign(scope, { from: rest } satisfies TextPlace);
    const file = attachment_id === undefined ? null : await readFile(ctx, found, attachment_id);
    // A mail that could not be shown is not changed.
    const message =
      changes === null ? found : await ctx.client.messages.update(id, changes, { signal: ctx.signal });
    const wanted = { max: max_chars, from, withQuotes: with_quotes, isFile: file !== null };
    const view = viewMessage(ctx, { ...message, ...file }, wanted, next);
    const more = { ...deliveryStates(ctx, message), ...linkAttachments(message, view) };
    return { ...view, ...more, ...(await seenBefore(ctx, message, view)) };
  });
}

/** Returns the changes that the arguments ask for; null if there are none. */
function readChanges({
  mark_read,
  add_labels = [],
  remove_labels = [],
}: ReadArguments): UpdateMessage | null {
  const changes = {
    ...(mark_read !== undefined && { read: mark_read }),
    ...(add_labels.length > 0 && { add_labels }),
    ...(remove_labels.length > 0 && { remove_labels }),
  };
  return Object.keys(changes).length === 0 ? null : changes;
}

/** Returns the text of a file in place of the text of the mail. */
async function readFile(
  ctx: CallContext,
  { attachments }: Message,
  attachmentId: string,
): Promise<Pick<Message, 'extracted_text' | 'body_text'>> {
  const file = attachments.find(({ id }) => id === attachmentId);
  if (file === undefined)
    throw new ToolError(
      'not_found',
      'attachment_id: is not a file of this mail.',
      'Use one of its attachments.',
    );
  const text = await readFileText(ctx, file);
  return { extracted_text: text, body_text: text };
}

/** Links are shown for one mail at a time, because each is as long as a paragraph. */
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

/** Whether this inbox had mail from the same address before. Mail from strangers needs more caution. */
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
    // The sender's address may not be searchable. The mail can still be read.
    return {};
  }
}
