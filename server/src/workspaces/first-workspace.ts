import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { RefusedChange, type WorkspaceSummary } from './manage-workspaces.ts';

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

/** Returns whether owners of the first workspace run the server. Where workspaces are configured and no user is, nobody in them does. */
export function isRunByOwners({ config }: Pick<Deps, 'config'>): boolean {
  return !config.bootstrap || Boolean(config.consoleAdmin);
}

/**
 * Checks that a workspace is not the one whose owners run the server: nobody would take their place.
 *
 * @throws Error if it is.
 */
export async function requireNotFirst(
  deps: Pick<Deps, 'db' | 'config'>,
  { id, name }: Pick<WorkspaceSummary, 'id' | 'name'>,
): Promise<void> {
  if (!isRunByOwners(deps)) return;
  const first = await selectFirst(deps).executeTakeFirst();
  if (first?.id !== id) return;
  throw new RefusedChange(
    `The owners of ${name}, the first workspace, run this server, so it cannot be deleted. It can get another name.`,
  );
}
