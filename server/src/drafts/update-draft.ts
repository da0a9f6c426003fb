import type { UpdateDraft } from '@postrider/contract';
import type { Updateable } from 'kysely';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { ApiError } from '../lib/api-error.ts';
import { requireFewRecipients } from '../outbound/reply-to-message.ts';
import { requireInForce } from '../policies/require-unheld.ts';
import { type FilledIn, fillIn } from './create-draft.ts';
import { noteInline, readDraft, readFiles, replaceFiles } from './draft-files.ts';
import { requireFewDrafts, requireFilesFit, requireTextsFit } from './draft-limits.ts';
import { draftsAreDue } from './draft-scheduler.ts';
import { type DraftDetails, type DraftRow, lockDraft } from './find-draft.ts';

/**
 * Changes the given fields of a draft, which may have another writer then (`writerAfter`). A failed draft becomes a draft again, or
 * scheduled if it gets a time. If it is sent at the same time, either the old content is sent and the update fails, or the new content is
 * sent.
 *
 * @throws ApiError `not_found`, `draft_already_sent` also while it is being sent, `attachment_too_large`, `invalid_request` if it would
 * have too many recipients with those that it has, `limit_reached`, `storage_limit_reached` if its files do not fit.
 */
export async function updateDraft(ctx: Context, id: string, input: UpdateDraft): Promise<DraftDetails> {
  const { seen_updated_at: _, ...changes } = input;
  if (Object.values(changes).every((value) => value === undefined)) return readDraft(ctx, id);
  const files = readFiles(input.attachments);
  const draft = await inTransaction(ctx, async (tx) => {
    await requireInForce(tx);
    const before = await lockDraft(tx, id);
    requireUnsent(before);
    const filledIn = await filledInBy(tx, before, input);
    const change = createChange(tx, before, { ...input, ...filledIn });
    requireFewRecipients([...change.to_addrs, ...change.cc_addrs, ...change.bcc_addrs], 'to');
    await scoped(tx).updateTable('drafts').set(change).where('id', '=', id).execute();
    if (input.attachments !== undefined) await replaceFiles(tx, before, files);
    if (input.attachments !== undefined || input.html !== undefined) await noteInline(tx, id);
    // A draft whose message was rejected did not count until now, and neither did its files.
    const wasMessage = before.message_id !== null;
    if (wasMessage) await requireFewDrafts(tx);
    if (wasMessage || files.length > 0) await requireFilesFit(tx);
    if (wasMessage || input.text || input.html) await requireTextsFit(tx);
    return readDraft(tx, id);
  });
  if (draft.row.due_at) draftsAreDue(ctx);
  return draft;
}

/**
 * Checks that a draft has not become a message, or only one that was rejected for all recipients.
 *
 * @throws ApiError `draft_already_sent`.
 */
export function requireUnsent({ status }: DraftRow): void {
  if (status === 'sending' || status === 'sent') throw new ApiError('draft_already_sent');
}

/**
 * Returns the fields that a reply takes from its original, so that they are shown: those that neither the draft nor the request has if the
 * original is new, and a subject that the request clears.
 */
async function filledInBy(tx: Context, before: DraftRow, input: UpdateDraft): Promise<Partial<FilledIn>> {
  const isNew = input.reply_to_message_id !== undefined;
  const messageId = given(input.reply_to_message_id, before.reply_to_message_id);
  const lacksSubject = given(input.subject, before.subject) === null;
  if (messageId === null || !(isNew || input.subject === null)) return {};
  const replyAll = input.reply_all ?? false;
  const { to, cc, subject } = await fillIn(tx, before.inbox_id, { messageId, replyAll });
  return {
    ...(isNew && input.to === undefined && before.to_addrs.length === 0 && { to }),
    ...(isNew && input.cc === undefined && before.cc_addrs.length === 0 && { cc }),
    ...(lacksSubject && { subject }),
  };
}

function given<T>(value: T | undefined, otherwise: T): T {
  return value === undefined ? otherwise : value;
}

function createChange(ctx: Context, before: DraftRow, input: UpdateDraft) {
  const { text, html, to, cc, bcc, scheduled_at } = input;
  const scheduledBefore = before.status === 'failed' ? null : before.scheduled_at;
  const scheduledAt = scheduled_at === undefined ? scheduledBefore : parseDate(scheduled_at);
  return {
    to_addrs: given(to, before.to_addrs),
    cc_addrs: given(cc, before.cc_addrs),
    bcc_addrs: given(bcc, before.bcc_addrs),
    subject: given(input.subject, before.subject),
    body_text: given(text, before.body_text),
    body_html: given(html, before.body_html),
    reply_to_message_id: given(input.reply_to_message_id, before.reply_to_message_id),
    metadata: given(input.metadata, before.metadata),
    scheduled_at: scheduledAt,
    due_at: scheduledAt,
    attempts: 0,
    version: before.version + 1,
    message_id: null,
    failure: null,
    // Each state has its own time, which shows whether a person has seen it.
    updated_at: new Date(Math.max(ctx.clock.now().getTime(), before.updated_at.getTime() + 1)),
    actor_id: ctx.actor.id,
    writer_id: writerAfter(ctx, before, input),
    request_id: ctx.requestId,
  } satisfies Updateable<Tables['drafts']>;
}

function parseDate(time: string | null): Date | null {
  return time === null ? null : new Date(time);
}

/**
 * Returns the writer of a draft after a change. If the writer is a key, its policy applies to the draft, even if somebody else sends it.
 *
 * A key that changes content becomes the writer. A person becomes the writer by replacing the whole body of the draft in the state that
 * they saw. Otherwise a key could put its own text, files or recipients under the name of a person who is editing the draft.
 */
function writerAfter(
  { actor }: Pick<Context, 'actor'>,
  before: DraftRow,
  change: UpdateDraft,
): string | null {
  const isWriter =
    actor.kind === 'person' ? setsBody(before, change) && isOfSeen(before, change) : setsContent(change);
  return isWriter ? actor.id : before.writer_id;
}

function setsContent({ metadata, scheduled_at, seen_updated_at, ...content }: UpdateDraft): boolean {
  return Object.values(content).some((value) => value !== undefined);
}

/** Returns whether a change sets every part of the body that the draft has. */
function setsBody({ body_text, body_html }: DraftRow, { text, html }: UpdateDraft): boolean {
  const leavesText = text === undefined && body_text !== null;
  const leavesHtml = html === undefined && body_html !== null;
  return (text !== undefined || html !== undefined) && !leavesText && !leavesHtml;
}

function isOfSeen({ updated_at }: DraftRow, { seen_updated_at }: UpdateDraft): boolean {
  return seen_updated_at !== undefined && Date.parse(seen_updated_at) === updated_at.getTime();
}
