import type { ErrorBody } from '@postrider/contract';
import type { Context } from '../context.ts';
import { ApiError } from '../lib/api-error.ts';
import { getMessage } from '../messages/find-message.ts';
import type { Sent } from '../messages/message.view.ts';
import type { MessageRow } from '../messages/store/message-record.ts';
import { hashRequest } from '../outbound/idempotency.ts';
import { namedAddresses, readRecipients } from '../outbound/read-request.ts';
import { requireFewRecipients, threadingHeaders } from '../outbound/reply-to-message.ts';
import { send } from '../outbound/send.ts';
import type { Outgoing } from '../outbound/sending.ts';
import { hasFiles, loadFiles } from './draft-files.ts';
import type { DraftRow } from './find-draft.ts';

/** The options for sending a draft. */
export interface DraftSend {
  clientId: string | null;
  /** Whether it is sent because its time has come. */
  atItsTime: boolean;
  /** Called once it has become a message, which may be long before the message has an outcome. */
  onStored?(): void;
}

/**
 * Sends a draft as it was read: as a new message or as a reply, to the recipients that it shows.
 *
 * @throws ClaimLost if it was changed, deleted or sent since it was read; nothing was sent then.
 *
 * @throws ApiError as `send`, `invalid_request` if recipients or a subject are missing, `auto_reply_loop`.
 */
export async function sendDraftNow(
  ctx: Context,
  draft: DraftRow,
  { clientId, atItsTime, onStored }: DraftSend,
): Promise<Sent> {
  const { id, version, reply_to_message_id } = draft;
  const original =
    reply_to_message_id === null ? null : await getMessage(ctx, reply_to_message_id, 'reply_to_message_id');
  const hasAttachments = await hasFiles(ctx, id);
  return send(ctx, {
    inboxId: draft.inbox_id,
    clientId,
    requestHash: clientId === null ? null : hashRequest('draft', id, {}),
    addresses: namedAddresses(recipientLists(draft)),
    hasAttachments,
    conversation: { threadId: original?.thread_id ?? null, namedIds: [] },
    writtenBy: draft.writer_id,
    atItsTime,
    draft: {
      id,
      version,
      scheduledAt: atItsTime ? draft.scheduled_at : null,
      ...(onStored && { onStored }),
    },
    write: () => writeDraft(ctx, draft, original, hasAttachments),
  });
}

function writeDraft(
  ctx: Context,
  draft: DraftRow,
  original: MessageRow | null,
  hasAttachments: boolean,
): Outgoing {
  if (original?.auto_submitted) throw new ApiError('auto_reply_loop');
  const { subject } = draft;
  const hasRecipients = draft.to_addrs.length > 0;
  if (!hasRecipients || subject === null)
    throw incomplete([...(hasRecipients ? [] : ['to']), ...(subject === null ? ['subject'] : [])]);
  const recipients = readRecipients(ctx, recipientLists(draft));
  requireFewRecipients(recipients, 'to');
  return {
    recipients,
    replyTo: null,
    subject,
    text: draft.body_text,
    html: draft.body_html,
    headers: {},
    metadata: draft.metadata,
    ...(original ? threadingHeaders(ctx, original) : { inReplyTo: null, references: [], threadIndex: null }),
    threadId: original?.thread_id ?? null,
    // Read only once the message is composed, since a repeat needs none of their bytes.
    attachments: hasAttachments ? () => loadFiles(ctx, draft.id) : null,
  };
}

function recipientLists(draft: DraftRow) {
  return { to: draft.to_addrs, cc: draft.cc_addrs, bcc: draft.bcc_addrs };
}

function incomplete(fields: string[]): ApiError<'invalid_request'> {
  return new ApiError('invalid_request', {
    issues: fields.map((path): ErrorBody<'invalid_request'>['issues'][number] => ({
      path,
      message: 'is required to send the draft',
    })),
  });
}
