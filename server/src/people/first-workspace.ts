import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';

/**
 * Selects the id of the first workspace, whose owners run the server. A deleted one remains the first, because the next one may be that of
 * a customer.
 */
export function selectFirst(deps: Pick<Deps, 'db'>) {
  return acrossWorkspaces(deps, 'the first workspace is that of the operator')
    .selectFrom('workspaces')
    .select('id')
    .orderBy('id')
    .limit(1);
}

/** Returns whether owners of the first workspace run the server. If workspaces are configured and no user is, no owner does. */
export function isRunByOwners({ config }: Pick<Deps, 'config'>): boolean {
  return !config.bootstrap || Boolean(config.consoleAdmin);
}

/** Returns whether the owners of a workspace run the server. */
export async function runsServer(deps: Pick<Deps, 'db' | 'config'>, workspaceId: string): Promise<boolean> {
  if (!isRunByOwners(deps)) return false;
  const first = await selectFirst(deps).executeTakeFirst();
  return first?.id === workspaceId;
}
