import { contract, type Draft, type SendDraft } from '@postrider/contract';
import { type LinkDeps, viewAttachment } from '../attachments/attachment.view.ts';
import { type Context, contextOf } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { scoped } from '../db/scoped.ts';
import { ApiError, isApiError } from '../lib/api-error.ts';
import type { Page } from '../lib/cursor.ts';
import { fitPage } from '../lib/fit-answer.ts';
import { getMessage } from '../messages/find-message.ts';
import { type Sent, viewReceipt } from '../messages/message.view.ts';
import { replay } from '../outbound/idempotency.ts';
import { ClaimLost } from '../outbound/store-send.ts';
import { defineRoutes } from '../routes.ts';
import { createDraft } from './create-draft.ts';
import { readDraft } from './draft-files.ts';
import { type DraftDetails, type DraftRow, getDraft, lockDraft } from './find-draft.ts';
import { listDrafts } from './list-drafts.ts';
import { sendDraftNow } from './send-draft-now.ts';
import { updateDraft } from './update-draft.ts';

/** Handlers of `/drafts`. */
export const draftsRoutes = defineRoutes(contract.drafts, {
  create: async ({ body, res }) => {
    const ctx = contextOf(res);
    return { status: 201, body: viewDraft(ctx, await createDraft(ctx, body)) };
  },
  list: async ({ query, res }) => {
    const ctx = contextOf(res);
    const page = await ctx.readLimiter.run(ctx.workspaceId, () => listDrafts(ctx, query));
    ctx.readLimiter.untilTaken(ctx.workspaceId, res);
    return { status: 200, body: await viewDrafts(ctx, page) };
  },
  get: async ({ params, res }) => {
    const ctx = contextOf(res);
    const draft = await ctx.readLimiter.run(ctx.workspaceId, () => readDraft(ctx, params.id));
    ctx.readLimiter.untilTaken(ctx.workspaceId, res);
    return { status: 200, body: viewDraft(ctx, draft) };
  },
  update: async ({ params, body, res }) => {
    const ctx = contextOf(res);
    return { status: 200, body: viewDraft(ctx, await updateDraft(ctx, params.id, body)) };
  },
  delete: async ({ params, res }) => {
    await deleteDraft(contextOf(res), params.id);
    return { status: 204, body: undefined };
  },
  send: async ({ params, body, res }) => viewReceipt(await sendDraft(contextOf(res), params.id, body)),
});

/**
 * Deletes a draft with its files. A scheduled draft is no longer sent, and the message of a sent one stays.
 *
 * @throws ApiError `not_found`, `draft_already_sent` while it is being sent.
 */
function deleteDraft(ctx: Context, id: string): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const { status } = await lockDraft(tx, id);
    if (status === 'sending') throw new ApiError('draft_already_sent');
    await scoped(tx).deleteFrom('draft_files').where('draft_id', '=', id).execute();
    await scoped(tx).deleteFrom('drafts').where('id', '=', id).execute();
  });
}

/** Returns a draft as the API shows it, with fresh links to its files. */
function viewDraft(deps: LinkDeps, { row, files }: DraftDetails): Draft {
  return {
    id: row.id,
    inbox_id: row.inbox_id,
    to: row.to_addrs,
    cc: row.cc_addrs,
    bcc: row.bcc_addrs,
    subject: row.subject,
    text: row.body_text,
    html: row.body_html,
    attachments: files.map((file) => viewAttachment(deps, file)),
    reply_to_message_id: row.reply_to_message_id,
    metadata: row.metadata,
    scheduled_at: row.scheduled_at?.toISOString() ?? null,
    status: row.status,
    message_id: row.message_id,
    failure: failureCode(row),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Returns a page of drafts. It ends early if the response would become too large, since bodies are shown whole. */
async function viewDrafts(
  deps: LinkDeps,
  page: Page<DraftDetails>,
): Promise<{ drafts: Draft[]; next_cursor: string | null }> {
  const { items, nextCursor } = await fitPage(
    page,
    (draft) => viewDraft(deps, draft),
    ({ row }) => [row.id],
  );
  return { drafts: items, next_cursor: nextCursor };
}

function failureCode({ status, message_id, failure }: DraftDetails['row']): string | null {
  return status === 'failed' && message_id !== null ? 'message_rejected' : failure;
}

/**
 * Sends a draft now. If it was already sent with this `client_id`, the first result is returned again. A draft that is refused does not
 * change.
 *
 * @throws ApiError as `sendDraftNow`, `not_found`, and `draft_already_sent` if it was sent at its scheduled time or by another request.
 */
async function sendDraft(ctx: Context, id: string, input: SendDraft): Promise<Sent> {
  const { client_id: clientId = null } = input;
  for (;;) {
    const draft = await getDraft(ctx, id);
    if (draft.status === 'sending' || draft.status === 'sent') return repeat(ctx, draft, clientId);
    try {
      return await sendDraftNow(ctx, draft, { clientId, atItsTime: false });
    } catch (error) {
      // Another request has changed or sent the draft, so the loop makes progress.
      if (!(error instanceof ClaimLost)) throw error;
    }
  }
}

async function repeat(ctx: Context, draft: DraftRow, clientId: string | null): Promise<Sent> {
  if (clientId === null || draft.message_id === null) throw new ApiError('draft_already_sent');
  const message = await getMessage(ctx, draft.message_id, 'client_id').catch((error: unknown) => {
    // Its message was deleted since, and the `client_id` with it.
    if (isApiError(error, 'not_found')) throw new ApiError('draft_already_sent');
    throw error;
  });
  if (message.client_id !== clientId) throw new ApiError('draft_already_sent');
  return replay(ctx, message.id, { inboxId: draft.inbox_id, clientId });
}
