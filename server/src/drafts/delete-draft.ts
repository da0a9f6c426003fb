import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import { ApiError } from '../lib/api-error.ts';
import { lockDraft } from './find-draft.ts';

/**
 * Deletes a draft with its files. A scheduled draft is no longer sent, and the message of a sent one stays.
 *
 * @throws ApiError `not_found`, `draft_already_sent` while it is being sent.
 */
export function deleteDraft(ctx: Context, id: string): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const { status } = await lockDraft(tx, id);
    if (status === 'sending') throw new ApiError('draft_already_sent');
    await scoped(tx).deleteFrom('draft_files').where('draft_id', '=', id).execute();
    await scoped(tx).deleteFrom('drafts').where('id', '=', id).execute();
  });
}
