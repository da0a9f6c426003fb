import { type ErrorCode, errors } from '@postrider/contract';
import { sql } from 'kysely';
import type { Caller, Context } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { recordDraftFailed } from '../events/write-log.ts';
import { ApiError, isApiError } from '../lib/api-error.ts';
import { ClaimLost } from '../outbound/store-send.ts';
import { type DraftRow, findDraft } from './find-draft.ts';
import { sendDraftNow } from './send-draft-now.ts';

const firstRetryMs = 1_000;
/** The longest wait between two attempts to send a draft. */
export const longestRetryMs = 60_000;

/** The interval at which a draft is retried while sending is paused. */
const pausedRetryMs = 3_600_000;

/** A draft that a worker claimed because it is due, and the caller that it is sent for. */
export interface DueDraft extends Caller {
  id: string;
  version: number;
  attempts: number;
}

/**
 * Sends a draft whose time has come, unless it was changed since it was claimed. If its sender has to correct it, it becomes failed. Any
 * other error is ours, and it is tried again without limit.
 */
export async function sendDue(deps: Deps, due: DueDraft, onStored: () => void): Promise<void> {
  const { id, version, attempts, ...caller } = due;
  const ctx: Context = { ...deps, ...caller };
  const draft = await findDraft(ctx, id);
  // The change has also set when it is due.
  if (draft?.version !== version) return;
  let isStored = false;
  const noteStored = () => {
    isStored = true;
    onStored();
  };
  try {
    await sendDraftNow(ctx, draft, { clientId: null, atItsTime: true, onStored: noteStored });
  } catch (error) {
    if (error instanceof ClaimLost) return;
    if (isApiError(error, 'sending_paused')) return untilResumed(ctx, due);
    if (error instanceof ApiError && isSenders(error)) return fail(ctx, draft, error.code);
    if (isStored) {
      deps.log.error({ err: error, draftId: id }, 'a draft was sent, but the outcomes could not be read');
      return;
    }
    deps.log.error({ err: error, draftId: id }, 'a draft was not sent, trying again');
    await retryLater(ctx, due);
  }
}

/** Returns whether the sender has to act. A loop of machines does not end without help, so its draft is not retried, either. */
function isSenders({ code }: ApiError): boolean {
  return code === 'rate_limited' || errors[code as ErrorCode].retry !== 'wait';
}

/** Marks a draft as failed. A draft that has become a message, as when that was rejected, has another version and stays as it is. */
async function fail(ctx: Context, draft: DraftRow, failure: ErrorCode): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const failed = await ofVersion(tx, draft)
      .set({ failure, due_at: null, version: draft.version + 1, updated_at: tx.clock.now() })
      .returning('id')
      .executeTakeFirst();
    if (failed) await recordDraftFailed(tx, draft, failure);
  });
  ctx.wakeups.wake(ctx.workspaceId);
}

/** The end of the pause makes the draft due again. It is due now if the pause has already ended. */
async function untilResumed(ctx: Context, due: DueDraft): Promise<void> {
  const now = ctx.clock.now();
  const later = ctx.timeScale.after(now, pausedRetryMs);
  await inTransaction(ctx, async (tx) => {
    await sql`select lock_waiting(false)`.execute(tx.db);
    await ofVersion(tx, due)
      .set({
        due_at: sql<Date>`case
          when pause_of(workspace_id, inbox_id, actor_id) is null and pause_of(workspace_id, inbox_id, writer_id) is null
          then ${now}::timestamptz else ${later} end`,
      })
      .execute();
  });
}

async function retryLater(ctx: Context, due: DueDraft): Promise<void> {
  const delayMs = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(due.attempts - 1, 10));
  await ofVersion(ctx, due)
    .set({ due_at: ctx.timeScale.after(ctx.clock.now(), delayMs) })
    .execute();
}

function ofVersion(ctx: Context, { id, version }: Pick<DraftRow, 'id' | 'version'>) {
  return scoped(ctx).updateTable('drafts').where('id', '=', id).where('version', '=', version);
}
