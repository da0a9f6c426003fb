import { inTransaction } from '../db/connections.ts';
import { deleteInBatches, untilDone } from '../db/delete-in-batches.ts';
import { scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { jobNames } from '../jobs/job-names.ts';
import type { JobDefinition } from '../jobs/queue.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { removeMessages } from './remove-messages.ts';

/** The inbox to remove. */
export interface PurgeInbox {
  workspaceId: string;
  inboxId: string;
}

/** Rows are removed in batches, so that no lock is held for long. */
const batchRows = 1_000;

const ofInbox = ['message_ids', 'awaited_ids', 'inbound_fingerprints'] as const;

/** Removes deleted inboxes, as `removeInbox` does. */
export function purgeInbox(deps: Deps): JobDefinition<PurgeInbox> {
  return { name: jobNames.purgeInbox, run: (job) => removeInbox(deps, job) };
}

/**
 * Removes files and rows of a deleted inbox, the inbox itself last. Running it twice does no harm. The `client_id`s of its messages stay
 * taken until they expire. It calls `meanwhile` before each batch.
 */
export async function removeInbox(
  deps: Deps,
  { workspaceId, inboxId }: PurgeInbox,
  meanwhile: () => Promise<void> = async () => {},
): Promise<void> {
  const rows = scoped({ db: deps.db, workspaceId, scope: wholeWorkspace });
  const inbox = await rows
    .selectFrom('inboxes')
    .select('deleted_at')
    .where('id', '=', inboxId)
    .executeTakeFirst();
  if (!inbox?.deleted_at) return;
  await deps.files.deletePrefix(`${workspaceId}/${inboxId}`, meanwhile);
  const purgeAll = (purge: typeof purgeMessages) =>
    untilDone(async () => {
      await meanwhile();
      return purge(deps, workspaceId, inboxId);
    });
  await purgeAll(purgeMessages);
  for (const table of ofInbox) {
    await deleteInBatches(
      rows.selectFrom(table).where('inbox_id', '=', inboxId),
      rows.deleteFrom(table).where('inbox_id', '=', inboxId),
      meanwhile,
    );
  }
  await purgeAll(purgeThreads);
  await purgeAll(purgeDrafts);
  for (const table of ['policies', 'pauses'] as const)
    await rows.deleteFrom(table).where('level', '=', 'inbox').where('subject_id', '=', inboxId).execute();
  await rows.deleteFrom('inboxes').where('id', '=', inboxId).execute();
}

/** Removes one batch of messages with their rows. Returns whether there may be more. */
function purgeMessages(deps: Deps, workspaceId: string, inboxId: string): Promise<boolean> {
  return inTransaction({ ...deps, workspaceId, scope: wholeWorkspace }, async (tx) => {
    const batch = await scoped(tx)
      .selectFrom('messages')
      .select('id')
      .where('inbox_id', '=', inboxId)
      .limit(batchRows)
      .forUpdate()
      .execute();
    if (batch.length === 0) return false;
    await removeMessages(
      tx,
      batch.map((message) => message.id),
    );
    return true;
  });
}

/** Removes one batch of threads with their aliases and labels. Returns whether there may be more. */
async function purgeThreads(deps: Deps, workspaceId: string, inboxId: string): Promise<boolean> {
  const rows = scoped({ db: deps.db, workspaceId, scope: wholeWorkspace });
  const batch = await rows
    .selectFrom('threads')
    .select('id')
    .where('inbox_id', '=', inboxId)
    .limit(batchRows)
    .execute();
  const ids = batch.map((thread) => thread.id);
  if (ids.length === 0) return false;
  for (const table of ['thread_aliases', 'thread_labels'] as const)
    await rows.deleteFrom(table).where('thread_id', 'in', ids).execute();
  await rows.deleteFrom('threads').where('id', 'in', ids).execute();
  return true;
}

/** Removes one batch of drafts with their files. The lock keeps a change that began before from adding more files. */
function purgeDrafts(deps: Deps, workspaceId: string, inboxId: string): Promise<boolean> {
  return inTransaction(deps, async ({ db }) => {
    const rows = scoped({ db, workspaceId, scope: wholeWorkspace });
    const batch = await rows
      .selectFrom('drafts')
      .select('id')
      .where('inbox_id', '=', inboxId)
      .orderBy('id')
      .limit(batchRows)
      .forUpdate()
      .execute();
    const ids = batch.map((draft) => draft.id);
    if (ids.length === 0) return false;
    await rows.deleteFrom('draft_files').where('draft_id', 'in', ids).execute();
    await rows.deleteFrom('drafts').where('id', 'in', ids).execute();
    return true;
  });
}
