/*
 * Search by meaning is off until a workspace asks for it, because every message costs a vector. A row of `embedding_progress` says that a
 * workspace is embedded: its first search by meaning creates the row, later ones renew it, and without any for 30 days it is removed. The
 * vectors stay, so that a later search only has to catch up. New messages wait in `embedding_pending` from the moment they are indexed
 * (`index_messages`), and older ones are added here, the newest first.
 */
import { sql } from 'kysely';
import { acrossWorkspaces, type RowsContext, scoped } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';

const dayMs = 86_400_000;
/** A workspace that has not searched by meaning for this long is no longer embedded. */
export const unaskedDaysMax = 30;
/** Searches note the time only if the last one is older, so that most of them write nothing. */
const renewMs = dayMs;
/** Messages that are examined at a time. */
const batchRows = 500;
/** The bound of a workspace of which no older message was looked through yet: above every id of a message. */
export const beforeAny = 'msg_~';

/**
 * Notes that the workspace searches by meaning now, if that was last noted over a day ago. Returns when it was last noted, which is now for
 * one that was off.
 */
export async function turnOnEmbedding(
  ctx: RowsContext & Pick<Deps, 'clock' | 'wakeups'>,
  space: number,
): Promise<Date> {
  const now = ctx.clock.now();
  const progress = await scoped(ctx).selectFrom('embedding_progress').select('asked_at').executeTakeFirst();
  const askedAt = progress?.asked_at ?? now;
  if (progress && now.getTime() - askedAt.getTime() < renewMs) return askedAt;
  await ctx.db
    .insertInto('embedding_progress')
    .values({ workspace_id: ctx.workspaceId, space, before: beforeAny, asked_at: now })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet({ asked_at: now }))
    .execute();
  if (!progress) ctx.wakeups.wake(ctx.workspaceId, 'search');
  return askedAt;
}

/** Returns whether any workspace searches by meaning. */
export async function isAnyEmbedded(deps: Pick<Deps, 'db'>): Promise<boolean> {
  const some = acrossWorkspaces(deps, 'one process embeds the messages of all workspaces').selectFrom(
    'embedding_progress',
  );
  return (await some.select('workspace_id').limit(1).executeTakeFirst()) !== undefined;
}

/** Turns embedding off for workspaces that have not searched by meaning for 30 days, and forgets what waits there. */
export async function turnOffUnasked(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const askedBefore = new Date(deps.clock.now().getTime() - unaskedDaysMax * dayMs);
  // Rows that wait are locked in the order of their keys, as by the removal of messages.
  await sql`
    with off as (delete from embedding_progress where asked_at < ${askedBefore} returning workspace_id),
    waiting as (
      select p.ctid from embedding_pending p where p.workspace_id in (select workspace_id from off)
          or not exists (select from embedding_progress e where e.workspace_id = p.workspace_id)
        order by p.workspace_id, p.message_id for update)
    delete from embedding_pending where ctid = any(array(select ctid from waiting))`.execute(
    acrossWorkspaces(deps, 'one process embeds the messages of all workspaces'),
  );
}

/** Begins anew with the messages of all workspaces that are embedded, if the provider is another one than before. */
export async function switchSpace(deps: Pick<Deps, 'db'>, space: number): Promise<void> {
  await acrossWorkspaces(deps, 'a provider embeds the messages of all workspaces')
    .updateTable('embedding_progress')
    .set({ space, before: beforeAny })
    .where('space', '<>', space)
    .execute();
}

/** Turns embedding off for all workspaces, because the settings say so. The first search with a provider turns it on again. */
export async function endEmbedding(deps: Pick<Deps, 'db'>): Promise<void> {
  const db = acrossWorkspaces(deps, 'no provider embeds messages of any workspace');
  await db.deleteFrom('embedding_progress').execute();
  await db.deleteFrom('embedding_pending').execute();
}

/**
 * Lets older messages without a vector of this space wait for one, the newest first. Returns whether there may be more.
 *
 * The messages are locked, so that a removal either comes first or removes what waits here.
 */
export async function refillPending(deps: Pick<Deps, 'db'>, space: number): Promise<boolean> {
  const db = acrossWorkspaces(deps, 'one process embeds the messages of all workspaces');
  const { rows } = await sql`
    with workspace as (
      select workspace_id, before from embedding_progress where space = ${space}::int and before is not null
        order by before desc limit 1 for update),
    batch as materialized (
      select m.workspace_id, m.id from workspace w join messages m on m.workspace_id = w.workspace_id and m.id < w.before
        order by m.id desc limit ${batchRows} for key share of m),
    added as (
      insert into embedding_pending (workspace_id, message_id, is_live)
        select b.workspace_id, b.id, false from batch b where not exists (
          select from search_codes c where c.workspace_id = b.workspace_id and c.message_id = b.id and c.space = ${space}::int)
        on conflict do nothing)
    update embedding_progress p
      set before = (select min(id) from batch having count(*) = ${batchRows})
      from workspace w where p.workspace_id = w.workspace_id returning p.workspace_id`.execute(db);
  return rows.length > 0;
}

/**
 * Has a message embedded again, because its text has changed. One that does not wait and has no vector yet is embedded once it is indexed.
 * In a workspace that is off, only the old vector is removed. Call it in the transaction of the change.
 */
export async function embedAgain(tx: RowsContext, messageId: string): Promise<void> {
  const rows = scoped(tx);
  let isKnown = false;
  // A row that waits is replaced, so that a process which embeds the old text now does not take it out. It is locked first, as there.
  for (const table of ['embedding_pending', 'search_codes', 'search_vectors'] as const) {
    const [removed] = await rows.deleteFrom(table).where('message_id', '=', messageId).execute();
    isKnown ||= Boolean(removed?.numDeletedRows);
  }
  if (!isKnown) return;
  await sql`insert into embedding_pending (workspace_id, message_id, is_live)
    select workspace_id, ${messageId}, true from embedding_progress where workspace_id = ${tx.workspaceId}`.execute(
    tx.db,
  );
}
