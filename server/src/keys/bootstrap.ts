import { isDeepStrictEqual } from 'node:util';
import { serverItself } from '../audit/append-audit.ts';
import type { Config } from '../config/config.ts';
import { inTransaction } from '../db/connections.ts';
import { lock } from '../db/locks.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { hashApiKey } from '../lib/crypto/api-key.ts';
import type { ChangeContext } from '../policies/change-sending.ts';
import {
  createWorkspace,
  getWorkspace,
  listWorkspaces,
  type WorkspaceSummary,
} from '../workspaces/manage-workspaces.ts';
import { changeKey, type KeyLimits, lockLimits, viewLimits } from './change-key.ts';
import { createKey, storeKey } from './manage-keys.ts';

/** The name of the workspace that a server creates for its owner. */
export const firstWorkspaceName = 'default';

type Entry = NonNullable<Config['bootstrap']>[number];

/** Returns the id of an inbox that the configuration names by its id or its address, and creates it if necessary. */
export type ClaimInbox = (workspace: WorkspaceSummary, named: string) => Promise<string | null>;

type BootstrapDeps = ChangeContext & Pick<Deps, 'config' | 'log'>;

/**
 * Creates the workspaces that must exist. Returns the first API key if this is the first start and the configuration names none; it is
 * never shown again. A configured key that was revoked stays revoked. The configured limits of a key apply from each start on.
 */
export async function bootstrapWorkspaces(
  deps: BootstrapDeps,
  claimInbox: ClaimInbox,
): Promise<string | null> {
  if (deps.config.bootstrap) {
    for (const entry of deps.config.bootstrap) await ensureKey(deps, entry, claimInbox);
    return null;
  }
  if ((await listWorkspaces(deps)).length > 0) return null;
  // Both are created or neither: the key of a start that was interrupted would never be shown.
  return inTransaction(deps, async (tx) => {
    const made = await createWorkspace(tx, { name: firstWorkspaceName, plan: 'business', isTest: false });
    return made && (await createKey(tx, firstWorkspaceName, 'first key', serverItself)).key;
  });
}

/** Makes processes that start at the same time take turns. */
function inTurn<T>(deps: ChangeContext, work: (tx: ChangeContext) => Promise<T>): Promise<T> {
  return inTransaction(deps, async (tx) => {
    await lock(tx, 'bootstrap');
    return work(tx);
  });
}

async function ensureKey(deps: BootstrapDeps, entry: Entry, claimInbox: ClaimInbox): Promise<void> {
  const { name, plan, test: isTest } = entry;
  const workspace = await inTurn(deps, async (tx) => {
    await createWorkspace(tx, { name, plan, isTest });
    return getWorkspace(tx, name);
  });
  const limits = await readLimits(workspace, entry, claimInbox);
  const hash = entry.key ? hashApiKey(entry.key) : Buffer.from(entry.key_sha256 ?? '', 'hex');
  const known = await inTurn(deps, async (tx) => {
    const found = await acrossWorkspaces(tx, 'a key is global')
      .selectFrom('api_keys')
      .select(['id', 'workspace_id'])
      .where('key_hash', '=', hash)
      .executeTakeFirst();
    if (!found)
      await storeKey(tx, workspace.id, { hash, hint: 'configured', name: 'bootstrap', limits }, serverItself);
    return found;
  });
  if (!known) return;
  const place = { workspaceId: known.workspace_id, id: known.id };
  const before = await inTransaction(deps, (tx) => lockLimits(tx, place));
  const after = { ...before, ...limits };
  if (isDeepStrictEqual(viewLimits(after), viewLimits({ ...before }))) return;
  const { heldWebhooks } = await changeKey(deps, place, limits, serverItself);
  for (const { id: webhookId, url } of heldWebhooks)
    deps.log.warn({ webhookId, url, keyId: known.id }, 'a webhook of a key that a policy now holds goes on');
}

/** Inboxes that were deleted since are left out, and the key has fewer. */
async function readLimits(
  workspace: WorkspaceSummary,
  { policy, read_only: readOnly, inbox_ids, expires_at: expiresAt }: Entry,
  claimInbox: ClaimInbox,
): Promise<Partial<KeyLimits>> {
  const inboxIds: string[] = [];
  for (const named of inbox_ids ?? []) {
    const id = await claimInbox(workspace, named);
    if (id !== null) inboxIds.push(id);
  }
  return {
    ...(policy !== undefined && { policy }),
    ...(readOnly !== undefined && { readOnly }),
    ...(inbox_ids !== undefined && { inboxIds: inbox_ids && inboxIds }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
  };
}
