import type { SendCheck, SendMessage } from '@postrider/contract';
import type { Context } from '../context.ts';
import { notFound } from '../lib/api-error.ts';
import { newId } from '../lib/ids.ts';
import type { Sent } from '../messages/message.view.ts';
import { sendMode } from '../policies/controls.ts';
import { leaveOut } from './allow-recipients.ts';
import { composeMessage } from './compose.ts';
import { findSender, type SenderRequest } from './find-sender.ts';
import { hashRequest } from './idempotency.ts';
import { namedIds } from './outbound-record.ts';
import { checkAttachments, decodeLater, namedAddresses, readRecipients } from './read-request.ts';
import { send } from './send.ts';
import type { Outgoing, ThreadingHeaders } from './sending.ts';

/**
 * Sends a new message from an inbox.
 *
 * @throws ApiError `not_found`, `attachment_too_large`, `payload_too_large`, `no_deliverable_recipients`,
 * `message_rejected` when the provider refuses the message for good.
 */
export function sendMessage(ctx: Context, input: SendMessage): Promise<Sent> {
  const { inbox_id: inboxId, client_id: clientId = null } = input;
  return send(ctx, {
    inboxId,
    clientId,
    requestHash: clientId === null ? null : hashRequest('send', inboxId, input),
    addresses: namedAddresses(input),
    hasAttachments: (input.attachments?.length ?? 0) > 0,
    conversation: { threadId: null, namedIds: namedIds(threadingFields(input)) },
    write: () => writeMessage(ctx, input),
  });
}

/**
 * Returns the recipients that would get a message sent now, and those that would be left out. Nothing is stored, sent or reserved.
 *
 * @throws ApiError as `sendMessage` if the request itself is refused. A message that nobody would get is not an error here.
 */
export async function checkMessage(ctx: Context, input: SendMessage): Promise<SendCheck> {
  // A check uses nothing of the plan, so its attachments do not matter here.
  const request: SenderRequest = {
    inboxId: input.inbox_id,
    clientId: null,
    addresses: namedAddresses(input),
    hasAttachments: false,
    conversation: null,
  };
  const { inbox, ...obstacles } = await findSender(ctx, request);
  if (!inbox) throw notFound('inbox_id');
  const outgoing = writeMessage(ctx, input);
  const { recipients, dropped } = leaveOut(outgoing.recipients, obstacles);
  // A send refuses some messages only once they are composed: those with an invalid header or too many bytes.
  if (recipients.length > 0) {
    const at = ctx.clock.now();
    await composeMessage(ctx, { inbox, outgoing, recipients }, { at, messageId: newId('msg', at) });
  }
  return {
    deliverable: recipients.map(({ address }) => address),
    dropped,
    send: sendMode(obstacles.controls),
  };
}

/**
 * Returns the message that a request describes.
 *
 * @throws ApiError `attachment_too_large`, and `invalid_request` for a recipient that cannot be mailed.
 */
function writeMessage(ctx: Pick<Context, 'config'>, input: SendMessage): Outgoing {
  checkAttachments(input.attachments);
  return {
    recipients: readRecipients(ctx, input),
    replyTo: input.reply_to ?? null,
    subject: input.subject,
    text: input.text ?? null,
    html: input.html ?? null,
    headers: input.headers ?? {},
    metadata: input.metadata ?? {},
    ...threadingFields(input),
    threadId: null,
    attachments: decodeLater(input.attachments),
  };
}

function threadingFields({ in_reply_to, references }: SendMessage): ThreadingHeaders {
  return { inReplyTo: in_reply_to ?? null, references: references ?? [], threadIndex: null };
}
