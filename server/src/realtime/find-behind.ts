import { sql } from 'kysely';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';

/** Returns the workspaces that have events after the given position of their log, with one query for any number of them. */
export async function findBehind(
  deps: Pick<Deps, 'db'>,
  taken: { workspaceId: string; position: number }[],
): Promise<string[]> {
  if (taken.length === 0) return [];
  const ids = taken.map(({ workspaceId }) => workspaceId);
  const positions = taken.map(({ position }) => position);
  const { rows } = await sql<{ workspace_id: string }>`
    select each.workspace_id from unnest(${ids}::text[], ${positions}::bigint[]) as each (workspace_id, position)
      where exists (select from events
        where events.workspace_id = each.workspace_id and events.position > each.position)
  `.execute(acrossWorkspaces(deps, 'one look for all whose sockets are open here'));
  return rows.map((row) => row.workspace_id);
}
