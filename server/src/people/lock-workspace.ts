import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';

/**
 * Locks a workspace until the transaction ends, so that those who count its rows before they add one take turns. Rows that refer to the
 * workspace can be added meanwhile.
 */
export async function lockWorkspace(tx: Pick<Deps, 'db'>, workspaceId: string): Promise<void> {
  await acrossWorkspaces(tx, 'a workspace is no row of itself')
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .execute();
}
