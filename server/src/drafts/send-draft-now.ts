import type { ErrorBody } from '@postrider/contract';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { ApiError } from '../lib/api-error.ts';
import { getMessage } from '../messages/find-message.ts';
import type { MessageRow } from '../messages/store/message-record.ts';
import { type Allowed, beginSend } from '../outbound/find-sender.ts';
import { addressesOf, readRecipients } from '../outbound/recipients.ts';
import { requireFewRecipients, threadingHeaders } from '../outbound/reply-to-message.ts';
import { hashRequest } from '../outbound/request-hash.ts';
import { sendOutgoing } from '../outbound/send-outgoing.ts';
import type { Sent } from '../outbound/sent-message.view.ts';
import type { DraftRow } from './find-draft.ts';
import { hasFiles, loadFiles } from './store-draft-files.ts';

/** How a draft is sent. */
export interface Posting {
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
 * @throws ApiError as `sendMessage`, `invalid_request` if recipients or a subject are missing, `auto_reply_loop`.
 */
export async function sendDraftNow(ctx: Context, draft: DraftRow, posting: Posting): Promise<Sent> {
  const original =
    draft.reply_to_message_id === null
      ? null
      : await getMessage(ctx, draft.reply_to_message_id, 'reply_to_message_id');
  const addresses = addressesOf(listsOf(draft));
  const { clientId } = posting;
  const requestHash = clientId === null ? null : hashRequest('draft', draft.id, {});
  const hasAttachments = await hasFiles(ctx, draft.id);
  const conversation = { threadId: original?.thread_id ?? null, namedIds: [] };
  const writtenBy = draft.writer_id;
  const request = {
    inboxId: draft.inbox_id,
    clientId,
    requestHash,
    addresses,
    hasAttachments,
    conversation,
    writtenBy,
    atItsTime: posting.atItsTime,
  };
  const begun = await beginSend(ctx, request);
  return 'sent' in begun ? begun.sent : sendFirst(ctx, begun.sender, { draft, original, posting });
}

interface DraftToSend {
  draft: DraftRow;
  original: MessageRow | null;
  posting: Posting;
}

async function sendFirst(ctx: Context, allowed: Allowed, sending: DraftToSend): Promise<Sent> {
  const { draft, original, posting } = sending;
  if (original?.auto_submitted) throw new ApiError('auto_reply_loop');
  const { subject } = draft;
  const hasRecipients = draft.to_addrs.length > 0;
  if (!hasRecipients || subject === null)
    throw incomplete([...(hasRecipients ? [] : ['to']), ...(subject === null ? ['subject'] : [])]);
  const recipients = readRecipients(ctx, listsOf(draft));
  requireFewRecipients(recipients, 'to');
  return sendOutgoing(ctx, allowed, {
    recipients,
    replyTo: null,
    subject,
    text: draft.body_text,
    html: draft.body_html,
    headers: {},
    metadata: draft.metadata,
    ...(original ? threadingHeaders(ctx, original) : { inReplyTo: null, references: [], threadIndex: null }),
    threadId: original?.thread_id ?? null,
    clientId: posting.clientId,
    requestHash: allowed.request.requestHash ?? null,
    writerId: draft.writer_id,
    // Read only now, since a repeat needs none of their bytes.
    attachments: allowed.request.hasAttachments ? () => loadFiles(ctx, draft.id) : null,
    draftId: draft.id,
    claim: {
      take: (tx, messageId) => takeDraft({ ...ctx, ...tx }, sending, messageId),
      ...(posting.onStored && { taken: posting.onStored }),
    },
  });
}

function listsOf(draft: DraftRow) {
  return { to: draft.to_addrs, cc: draft.cc_addrs, bcc: draft.bcc_addrs };
}

function incomplete(fields: string[]): ApiError<'invalid_request'> {
  return new ApiError('invalid_request', {
    issues: fields.map((path): ErrorBody<'invalid_request'>['issues'][number] => ({
      path,
      message: 'is required when the draft is sent',
    })),
  });
}

/** Claims the draft in the version that was read. Any change or send meanwhile has raised the version. */
async function takeDraft(ctx: Context, { draft, posting }: DraftToSend, messageId: string): Promise<boolean> {
  const taken = await scoped(ctx)
    .updateTable('drafts')
    .set({
      message_id: messageId,
      version: draft.version + 1,
      scheduled_at: posting.atItsTime ? draft.scheduled_at : null,
      due_at: null,
      failure: null,
      updated_at: ctx.clock.now(),
    })
    .where('id', '=', draft.id)
    .where('version', '=', draft.version)
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}
