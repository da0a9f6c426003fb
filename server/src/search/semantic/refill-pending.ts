import { sql } from 'kysely';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';

/** Messages that are examined at a time. */
const batchRows = 500;
/** The bound of a workspace of which no older message was looked through yet: above every id of a message. */
export const beforeAny = 'msg_~';

/**
 * Begins to embed the messages of all workspaces that have not begun in this vector space: after an update, or since the provider is
 * another one. Messages of new workspaces are looked through once, too.
 */
export async function beginSpace(deps: Pick<Deps, 'db'>, space: number): Promise<void> {
  const db = acrossWorkspaces(deps, 'a provider embeds the messages of all workspaces');
  await sql`insert into embedding_progress (workspace_id, space, before)
    select id, ${space}::int, ${beforeAny} from workspaces w where not exists (
      select from embedding_progress p where p.workspace_id = w.id and p.space = ${space}::int)
    on conflict (workspace_id) do update set space = excluded.space, before = excluded.before`.execute(db);
}

/** Forgets what waits and how far each workspace is, because nothing is embedded. A provider that is set later begins with all messages. */
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
