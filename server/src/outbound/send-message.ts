import type { SendMessage } from '@postrider/contract';
import type { Context } from '../context.ts';
import { beginSend } from './find-sender.ts';
import { namedIdsOf, type Outgoing, type ThreadingHeaders } from './outbound-record.ts';
import { attachmentsOf, checkAttachments } from './outgoing-attachments.ts';
import { addressesOf, readRecipients } from './recipients.ts';
import { hashRequest } from './request-hash.ts';
import { sendOutgoing } from './send-outgoing.ts';
import type { Sent } from './sent-message.view.ts';

/**
 * Sends a new message from an inbox.
 *
 * @throws ApiError `not_found`, `attachment_too_large`, `payload_too_large`, `no_deliverable_recipients`,
 * `message_rejected` when the provider refuses the message for good.
 */
export async function sendMessage(ctx: Context, input: SendMessage): Promise<Sent> {
  const { inbox_id: inboxId, client_id: clientId = null } = input;
  const requestHash = clientId === null ? null : hashRequest('send', inboxId, input);
  const hasAttachments = (input.attachments?.length ?? 0) > 0;
  const conversation = { threadId: null, namedIds: namedIdsOf(threadingOf(input)) };
  const addresses = addressesOf(input);
  const request = { inboxId, clientId, requestHash, addresses, hasAttachments, conversation };
  const begun = await beginSend(ctx, request);
  return 'sent' in begun
    ? begun.sent
    : sendOutgoing(ctx, begun.sender, { ...readOutgoing(ctx, input), requestHash });
}

/**
 * Returns the message that a request describes.
 *
 * @throws ApiError `attachment_too_large`, and `invalid_request` for a recipient that cannot be mailed.
 */
export function readOutgoing(ctx: Pick<Context, 'config'>, input: SendMessage): Outgoing {
  checkAttachments(input.attachments);
  return {
    recipients: readRecipients(ctx, input),
    replyTo: input.reply_to ?? null,
    subject: input.subject,
    text: input.text ?? null,
    html: input.html ?? null,
    headers: input.headers ?? {},
    metadata: input.metadata ?? {},
    ...threadingOf(input),
    threadId: null,
    clientId: input.client_id ?? null,
    attachments: attachmentsOf(input.attachments),
  };
}

function threadingOf({ in_reply_to, references }: SendMessage): ThreadingHeaders {
  return { inReplyTo: in_reply_to ?? null, references: references ?? [], threadIndex: null };
}
