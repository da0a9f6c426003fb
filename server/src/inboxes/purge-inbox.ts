import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';
import { scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { jobNames } from '../jobs/job-names.ts';
import type { JobDefinition } from '../jobs/queue.ts';

/** Which inbox to remove. */
export interface PurgeInbox {
  workspaceId: string;
  inboxId: string;
}

/** Rows go in batches, so that no lock is held for long. */
const batchRows = 1_000;

const ofMessages = ['originals', 'message_recipients', 'attachments', 'message_labels'] as const;
const ofInbox = ['message_ids', 'awaited_ids', 'inbound_fingerprints'] as const;

/**
 * Removes files and rows of a deleted inbox, the inbox itself last; doing it twice does no harm. What its messages took of
 * `client_id`s stays taken until it expires.
 */
export const purgeInbox = (deps: Deps): JobDefinition<PurgeInbox> => ({
  name: jobNames.purgeInbox,
  run: async ({ workspaceId, inboxId }) => {
    const rows = scoped({ db: deps.db, workspaceId });
    const inbox = await rows
      .selectFrom('inboxes')
      .select('deleted_at')
      .where('id', '=', inboxId)
      .executeTakeFirst();
    if (!inbox?.deleted_at) return;
    await deps.files.deletePrefix(`${workspaceId}/${inboxId}`);
    // The embedded database answers before anything else gets a turn, so that many batches would hold up all requests.
    while (await purgeMessages(deps, workspaceId, inboxId)) await setImmediate();
    for (const table of ofInbox) {
      await deleteInBatches(
        rows.selectFrom(table).where('inbox_id', '=', inboxId),
        rows.deleteFrom(table).where('inbox_id', '=', inboxId),
      );
    }
    while (await purgeThreads(deps, workspaceId, inboxId)) await setImmediate();
    while (await purgeDrafts(deps, workspaceId, inboxId)) await setImmediate();
    await rows.deleteFrom('inboxes').where('id', '=', inboxId).execute();
  },
});

/**
 * Removes one batch of messages with their rows, and answers whether there may be more. Recipients go before messages: an
 * outcome that is recorded meanwhile has its message, or finds its recipient gone. Events stay, or a reader that stands at one
 * would not be known any more; what they tell of is gone.
 */
const purgeMessages = (deps: Deps, workspaceId: string, inboxId: string): Promise<boolean> =>
  inTransaction(deps, async ({ db }) => {
    const rows = scoped({ db, workspaceId });
    const batch = await rows
      .selectFrom('messages')
      .select('id')
      .where('inbox_id', '=', inboxId)
      .limit(batchRows)
      .forUpdate()
      .execute();
    const ids = batch.map((message) => message.id);
    if (ids.length === 0) return false;
    await sql`delete from message_terms t using messages m, lateral unnest(m.search) l
      where m.workspace_id = ${workspaceId} and m.id = any(${ids}) and t.workspace_id = m.workspace_id and t.message_id = m.id
      and t.term in (l.lexeme, subject_term(l.lexeme)) and (l.lexeme ~ '^(from|to):' or 'A' = any(l.weights))`.execute(
      db,
    );
    await giveBackMail(deps, { db, workspaceId }, ids);
    for (const table of ofMessages) await rows.deleteFrom(table).where('message_id', 'in', ids).execute();
    await rows.deleteFrom('messages').where('id', 'in', ids).execute();
    return true;
  });

/** Counts messages that are about to be removed as gone. */
const giveBackMail = async (
  { clock }: Deps,
  { db, workspaceId }: { db: Db; workspaceId: string },
  ids: string[],
): Promise<void> => {
  await sql`insert into usage_ledger (workspace_id, kind, amount, at)
    select ${workspaceId}, 'mail_bytes', -sum(mail_bytes(size_bytes, body_text, body_html, extracted_text)), ${clock.now()}
    from messages where workspace_id = ${workspaceId} and id = any(${ids})`.execute(db);
};

/** Removes one batch of threads with their aliases, and answers whether there may be more. */
const purgeThreads = async (deps: Deps, workspaceId: string, inboxId: string): Promise<boolean> => {
  const rows = scoped({ db: deps.db, workspaceId });
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
};

/** Removes one batch of drafts with their files; the lock keeps a change that began before from adding more of these. */
const purgeDrafts = (deps: Deps, workspaceId: string, inboxId: string): Promise<boolean> =>
  inTransaction(deps, async ({ db }) => {
    const rows = scoped({ db, workspaceId });
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
