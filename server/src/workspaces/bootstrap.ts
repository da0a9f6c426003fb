import { sql } from 'kysely';
import type { Config } from '../config.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { hashApiKey } from '../lib/crypto/api-key.ts';
import { createKey, storeKey } from './manage-keys.ts';
import { createWorkspace, getWorkspace, listWorkspaces } from './manage-workspaces.ts';

/** The name of the workspace that a server creates for its owner. */
export const firstWorkspaceName = 'default';

/** An arbitrary number, the same in every process, so that processes that start at the same time take turns. */
const bootstrapLock = 4_400_2527;

type Entry = NonNullable<Config['bootstrap']>[number];

/**
 * Creates the workspaces that must exist. Returns the first API key if this is the first start and the configuration names none; it is
 * never shown again. A configured key that was revoked stays revoked.
 */
export async function bootstrapWorkspaces(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
): Promise<string | null> {
  if (deps.config.bootstrap) {
    for (const entry of deps.config.bootstrap) await ensureWorkspace(deps, entry);
    return null;
  }
  if ((await listWorkspaces(deps)).length > 0) return null;
  // Both are created or neither: the key of a start that was interrupted would never be shown.
  return inTransaction(deps, async (tx) => {
    const made = await createWorkspace(tx, { name: firstWorkspaceName, plan: 'business', isTest: false });
    return made && (await createKey(tx, firstWorkspaceName, 'first key')).key;
  });
}

function ensureWorkspace(deps: Pick<Deps, 'db' | 'clock'>, entry: Entry): Promise<void> {
  return inTransaction(deps, async (tx) => {
    await sql`select pg_advisory_xact_lock(${bootstrapLock})`.execute(tx.db);
    await createWorkspace(tx, { name: entry.name, plan: entry.plan, isTest: entry.test });
    await ensureKey(tx, entry);
  });
}

async function ensureKey(deps: Pick<Deps, 'db' | 'clock'>, entry: Entry): Promise<void> {
  const workspace = await getWorkspace(deps, entry.name);
  const hash = entry.key ? hashApiKey(entry.key) : Buffer.from(entry.key_sha256 ?? '', 'hex');
  const known = await acrossWorkspaces(deps, 'a key is global')
    .selectFrom('api_keys')
    .select('id')
    .where('key_hash', '=', hash)
    .executeTakeFirst();
  if (!known) await storeKey(deps, workspace.id, { hash, hint: 'configured', name: 'bootstrap' });
}
