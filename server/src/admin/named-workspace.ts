import { firstWorkspaceName } from '../keys/bootstrap.ts';
import { getWorkspace, listWorkspaces, type WorkspaceSummary } from '../workspaces/manage-workspaces.ts';
import type { AdminDeps } from './command.ts';

/** The help of `--workspace` where it may be left out. */
export const byDefault = `by default, the workspace "${firstWorkspaceName}", or else the only one`;

/**
 * Returns the workspace with a name; without one, the workspace `default`, or else the only one.
 *
 * @throws Error if no workspace has the name, or if several could be meant.
 */
export async function findNamed(
  deps: Pick<AdminDeps, 'db' | 'clock'>,
  name?: string,
): Promise<WorkspaceSummary> {
  if (name !== undefined) return getWorkspace(deps, name);
  const all = (await listWorkspaces(deps)).filter((one) => one.deleted_at === null);
  const only = all.length === 1 ? all[0] : undefined;
  const found = all.find((one) => one.name === firstWorkspaceName) ?? only;
  if (found) return found;
  const names = all.slice(0, namedMax).map((one) => one.name);
  throw new Error(
    `There is no workspace ${firstWorkspaceName}: name one with --workspace. ${listed(names, all.length)}`,
  );
}

const namedMax = 10;

function listed(names: string[], count: number): string {
  if (count === 0) return 'This server has no workspaces yet; "workspaces create" creates one.';
  const more = count > names.length ? `, and ${count - names.length} more` : '';
  return `There are ${names.join(', ')}${more}.`;
}
