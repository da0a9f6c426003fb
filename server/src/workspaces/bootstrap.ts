import type { Config } from '../config.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { hashApiKey } from '../lib/api-key.ts';
import { createKey, storeKey } from './manage-keys.ts';
import { createWorkspace, getWorkspace, listWorkspaces } from './manage-workspaces.ts';

/** Name of the workspace that a server makes for its owner. */
export const firstWorkspaceName = 'default';

type Entry = NonNullable<Config['bootstrap']>[number];

/**
 * Makes the workspaces that must exist, and answers the first API key when this is the first start and configuration names
 * none: the only time that it is told. A configured key that was revoked stays so.
 */
export const bootstrapWorkspaces = async (
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
): Promise<string | null> => {
  if (deps.config.bootstrap) {
    for (const entry of deps.config.bootstrap) await ensureWorkspace(deps, entry);
    return null;
  }
  if ((await listWorkspaces(deps)).length > 0) return null;
  const made = await createWorkspace(deps, { name: firstWorkspaceName, plan: 'business', isTest: false });
  if (!made) return null;
  return (await createKey(deps, firstWorkspaceName, 'first key')).key;
};

const ensureWorkspace = async (deps: Pick<Deps, 'db' | 'clock'>, entry: Entry): Promise<void> => {
  await createWorkspace(deps, { name: entry.name, plan: entry.plan, isTest: entry.test });
  const workspace = await getWorkspace(deps, entry.name);
  const hash = entry.key ? hashApiKey(entry.key) : Buffer.from(entry.key_sha256 ?? '', 'hex');
  const known = await acrossWorkspaces(deps, 'a key is global')
    .selectFrom('api_keys')
    .select('id')
    .where('key_hash', '=', hash)
    .executeTakeFirst();
  if (!known) await storeKey(deps, workspace.id, { hash, hint: 'configured', name: 'bootstrap' });
};
