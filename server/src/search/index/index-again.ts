import { sql } from 'kysely';
import type { RowsContext } from '../../db/scoped.ts';

/**
 * Has messages of the workspace indexed again, because what they are found by has changed. Call it in the transaction of the change, and
 * wake the workspace after the commit. Messages that are gone are ignored.
 */
export async function indexAgain(tx: RowsContext, ids: string[]): Promise<void> {
  // In one order, so that two callers cannot wait for each other.
  await sql`insert into search_pending as p (workspace_id, message_id)
    select ${tx.workspaceId}, id from unnest(${[...new Set(ids)].sort()}::text[]) id
    on conflict (workspace_id, message_id) do update set revision = p.revision + 1`.execute(tx.db);
}
