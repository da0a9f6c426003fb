import { sql } from 'kysely';
import type { Config } from '../config.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { hashApiKey } from '../lib/api-key.ts';
import { createKey, storeKey } from './manage-keys.ts';
import { createWorkspace, getWorkspace, listWorkspaces } from './manage-workspaces.ts';

/** Name of the workspace that a server makes for its owner. */
export const firstWorkspaceName = 'default';

/** Any number, the same in every process: those that start at once take turns. */
const bootstrapLock = 4_400_2527;

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
  // Both or neither: nobody is told the key of a start that was cut off.
  return inTransaction(deps, async (tx) => {
    const made = await createWorkspace(tx, { name: firstWorkspaceName, plan: 'business', isTest: false });
    return made && (await createKey(tx, firstWorkspaceName, 'first key')).key;
  });
};

const ensureWorkspace = (deps: Pick<Deps, 'db' | 'clock'>, entry: Entry): Promise<void> =>
  inTransaction(deps, async (tx) => {
    await sql`select pg_advisory_xact_lock(${bootstrapLock})`.execute(tx.db);
    await createWorkspace(tx, { name: entry.name, plan: entry.plan, isTest: entry.test });
    await ensureKey(tx, entry);
  });

const ensureKey = async (deps: Pick<Deps, 'db' | 'clock'>, entry: Entry): Promise<void> => {
  const workspace = await getWorkspace(deps, entry.name);
  const hash = entry.key ? hashApiKey(entry.key) : Buffer.from(entry.key_sha256 ?? '', 'hex');
  const known = await acrossWorkspaces(deps, 'a key is global')
    .selectFrom('api_keys')
    .select('id')
    .where('key_hash', '=', hash)
    .executeTakeFirst();
  if (!known) await storeKey(deps, workspace.id, { hash, hint: 'configured', name: 'bootstrap' });
};
