import type { CreateDraft } from '@postrider/contract';
import type { Insertable } from 'kysely';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { lockShared } from '../db/locks.ts';
import type { RowsContext } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { getInbox } from '../inboxes/find-inbox.ts';
import { notFound } from '../lib/api-error.ts';
import { newId } from '../lib/ids.ts';
import { replySubject } from '../mail/compose/reply-texts.ts';
import { getMessage } from '../messages/find-message.ts';
import { replyRecipients, requireFewRecipients } from '../outbound/reply-to-message.ts';
import { requireInForce } from '../policies/require-unheld.ts';
import { noteInline, readDraft, readFiles, replaceFiles } from './draft-files.ts';
import { requireFewDrafts, requireFilesFit, requireTextsFit } from './draft-limits.ts';
import { draftsAreDue } from './draft-scheduler.ts';
import type { DraftDetails } from './find-draft.ts';

/**
 * Creates a draft. A draft with a time is sent then, or at once if that has passed. A reply takes To, Cc and subject from the original if
 * they are not given, so that anyone who reads the draft sees its recipients.
 *
 * @throws ApiError `not_found` for an inbox that is not the caller's or a message that is not in it, `attachment_too_large`,
 * `limit_reached`, `storage_limit_reached` if its files do not fit, `invalid_token` if it is scheduled by a key that was revoked meanwhile.
 */
export async function createDraft(ctx: Context, input: CreateDraft): Promise<DraftDetails> {
  await getInbox(ctx, input.inbox_id, 'inbox_id');
  const messageId = input.reply_to_message_id;
  const filledIn = messageId
    ? await fillIn(ctx, input.inbox_id, { messageId, replyAll: input.reply_all ?? false })
    : null;
  const files = readFiles(input.attachments);
  const row = createRow(ctx, input, filledIn);
  requireFewRecipients([...row.to_addrs, ...row.cc_addrs, ...row.bcc_addrs], 'to');
  const draft = await inTransaction(ctx, async (tx) => {
    if (row.due_at) await requireInForce(tx);
    // Storing mail takes the same lock: the deletion of the inbox either waits for the draft and also removes it, or came first.
    await lockShared(tx, 'inbox', input.inbox_id);
    await getInbox(tx, input.inbox_id, 'inbox_id');
    await tx.db.insertInto('drafts').values(row).execute();
    await replaceFiles(tx, row, files);
    await noteInline(tx, row.id);
    await requireFewDrafts(tx);
    if (files.length > 0) await requireFilesFit(tx);
    if (row.body_text || row.body_html) await requireTextsFit(tx);
    return readDraft(tx, row.id);
  });
  if (row.due_at) draftsAreDue(ctx);
  return draft;
}

function createRow(ctx: Context, input: CreateDraft, filledIn: FilledIn | null) {
  const at = ctx.clock.now();
  const scheduledAt = input.scheduled_at ? new Date(input.scheduled_at) : null;
  return {
    workspace_id: ctx.workspaceId,
    id: newId('dft', at),
    inbox_id: input.inbox_id,
    to_addrs: input.to ?? filledIn?.to ?? [],
    cc_addrs: input.cc ?? filledIn?.cc ?? [],
    bcc_addrs: input.bcc ?? [],
    subject: input.subject ?? filledIn?.subject ?? null,
    body_text: input.text ?? null,
    body_html: input.html ?? null,
    reply_to_message_id: input.reply_to_message_id ?? null,
    metadata: input.metadata ?? {},
    scheduled_at: scheduledAt,
    due_at: scheduledAt,
    attempts: 0,
    version: 1,
    message_id: null,
    failure: null,
    created_at: at,
    updated_at: at,
    actor_id: ctx.actor.id,
    writer_id: ctx.actor.id,
    request_id: ctx.requestId,
  } satisfies Insertable<Tables['drafts']>;
}

/** The fields that a reply takes from its original if the draft does not have them. */
export interface FilledIn {
  to: string[];
  cc: string[];
  subject: string;
}

/**
 * Returns the fields that a draft of an inbox has by the rules of a reply if it replies to a message.
 *
 * @throws ApiError `not_found` for a message that is not in that inbox, `invalid_request` if it names too many recipients.
 */
export async function fillIn(
  ctx: RowsContext,
  inboxId: string,
  { messageId, replyAll }: { messageId: string; replyAll: boolean },
): Promise<FilledIn> {
  const [inbox, original] = await Promise.all([
    getInbox(ctx, inboxId, 'inbox_id'),
    getMessage(ctx, messageId, 'reply_to_message_id'),
  ]);
  if (original.inbox_id !== inboxId) throw notFound('reply_to_message_id');
  const recipients = replyRecipients(original, inbox.address, replyAll);
  const of = (kind: 'to' | 'cc') =>
    recipients.filter((recipient) => recipient.kind === kind).map(({ address }) => address);
  return { to: of('to'), cc: of('cc'), subject: replySubject(original.subject) };
}
