import { type ErrorCode, errors } from '@postrider/contract';
import type { Caller, Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../lib/api-error.ts';
import { ClaimLost } from '../outbound/store-claimed.ts';
import { findDraft } from './find-draft.ts';
import { postDraft } from './post-draft.ts';

const firstRetryMs = 1_000;
/** The longest pause between two tries of a draft. */
export const longestRetryMs = 60_000;

/** A draft that a worker took because it is due, and for whom it is sent. */
export interface DueDraft extends Caller {
  id: string;
  version: number;
  attempts: number;
}

/**
 * Sends a draft whose time has come, unless it was changed since it was taken. One that its sender has to correct becomes
 * failed; whatever is our fault is tried again, however often.
 */
export const sendDue = async (deps: Deps, due: DueDraft, onStored: () => void): Promise<void> => {
  const { id, version, attempts, ...caller } = due;
  const ctx: Context = { ...deps, ...caller };
  const draft = await findDraft(ctx, id);
  // Who changed it has also said when it is due.
  if (draft?.version !== version) return;
  let isStored = false;
  const noteStored = () => {
    isStored = true;
    onStored();
  };
  try {
    await postDraft(ctx, draft, { clientId: null, atItsTime: true, onStored: noteStored });
  } catch (error) {
    if (error instanceof ClaimLost) return;
    const isSenders = error instanceof ApiError && errors[error.code as ErrorCode].retry !== 'wait';
    if (isSenders) return fail(ctx, due, error.code);
    if (isStored) {
      deps.log.error(
        { err: error, draftId: id },
        'a draft became a message, whose outcomes could not be read',
      );
      return;
    }
    deps.log.error({ err: error, draftId: id }, 'a draft was not sent and is tried again');
    await retryLater(ctx, due);
  }
};

/** Does nothing to a draft that has become a message, as when that was rejected: its version is another one then. */
const fail = async (ctx: Context, due: DueDraft, failure: ErrorCode): Promise<void> => {
  await ofVersion(ctx, due)
    .set({ failure, due_at: null, version: due.version + 1, updated_at: ctx.clock.now() })
    .execute();
};

const retryLater = async (ctx: Context, due: DueDraft): Promise<void> => {
  const delayMs = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(due.attempts - 1, 10));
  await ofVersion(ctx, due)
    .set({ due_at: ctx.timeScale.after(ctx.clock.now(), delayMs) })
    .execute();
};

const ofVersion = (ctx: Context, { id, version }: DueDraft) =>
  scoped(ctx).updateTable('drafts').where('id', '=', id).where('version', '=', version);
