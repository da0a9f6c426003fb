import type { ForwardMessage } from '@postrider/contract';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { invalidField } from '../lib/api-error.ts';
import type { OutgoingAttachment } from '../mail/compose/compose-attachment.ts';
import { forwardSubject, quoteOriginal } from '../mail/compose/reply-texts.ts';
import type { Sent } from '../messages/message.view.ts';
import { readAttachments } from '../messages/originals.ts';
import type { MessageRow } from '../messages/store/message-record.ts';
import { isUnparsed } from '../parsing/inbound-mail.ts';
import { requireParsed } from '../parsing/parse-again.ts';
import { hashRequest } from './idempotency.ts';
import { checkAttachmentBytes, namedAddresses, readRecipients } from './read-request.ts';
import { threadingHeaders } from './reply-to-message.ts';
import { send } from './send.ts';
import type { Outgoing } from './sending.ts';

/**
 * Messages 5: passes a message on, quoted under a header block and with its files, within its thread. It is never passed on without the
 * files unless that is asked for, so a mail that is still to be parsed is parsed first.
 *
 * @throws ApiError as `sendMessage`, `unavailable` if the mail cannot be parsed yet, `invalid_request` if its files never can.
 */
export async function forwardMessage(ctx: Context, id: string, input: ForwardMessage): Promise<Sent> {
  const original = await requireParsed(ctx, id);
  if (isUnparsed(original) && input.include_attachments !== false)
    throw invalidField(
      'include_attachments',
      'must be false, because the attachments of this mail cannot be read',
    );
  const { client_id: clientId = null } = input;
  const withFiles = original.has_attachments && input.include_attachments !== false;
  return send(ctx, {
    inboxId: original.inbox_id,
    clientId,
    requestHash: clientId === null ? null : hashRequest('forward', original.id, input),
    addresses: namedAddresses(input),
    hasAttachments: withFiles,
    conversation: { threadId: original.thread_id, namedIds: [] },
    write: () => writeForward(ctx, original, input, withFiles),
  });
}

async function writeForward(
  ctx: Context,
  original: MessageRow,
  input: ForwardMessage,
  withFiles: boolean,
): Promise<Outgoing> {
  if (withFiles) checkAttachmentBytes(await attachmentSizes(ctx, original.id));
  return {
    recipients: readRecipients(ctx, input),
    replyTo: null,
    subject: forwardSubject(original.subject),
    ...quoteOriginal({ text: input.text ?? null, html: input.html ?? null }, quotable(original)),
    headers: {},
    metadata: input.metadata ?? {},
    ...threadingHeaders(ctx, original),
    threadId: original.thread_id,
    attachments: withFiles ? () => readFiles(ctx, original) : null,
  };
}

async function attachmentSizes(ctx: Context, messageId: string): Promise<number[]> {
  const rows = await scoped(ctx)
    .selectFrom('attachments')
    .select('size_bytes')
    .where('message_id', '=', messageId)
    .execute();
  return rows.map((row) => row.size_bytes);
}

async function readFiles(ctx: Context, original: MessageRow): Promise<OutgoingAttachment[]> {
  return (await readAttachments(ctx, original)).map((file) => ({
    filename: file.filename,
    contentType: file.mimeType,
    contentId: file.inline ? file.contentId : null,
    content: file.content,
  }));
}

function quotable(original: MessageRow) {
  return {
    from: { name: original.from_name, address: original.from_addr },
    date: original.created_at,
    subject: original.subject,
    to: original.to_addrs,
    cc: original.cc_addrs,
    text: original.body_text,
    html: original.body_html,
  };
}
