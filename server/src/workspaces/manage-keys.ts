import { type AuditActor, appendAudit } from '../audit/append-audit.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { newApiKey } from '../lib/crypto/api-key.ts';
import { newId } from '../lib/ids.ts';
import { type ChangeContext, changeSending } from './change-sending.ts';
import { getWorkspace } from './manage-workspaces.ts';

/** A key as operators see it. The key itself is shown once, by `createKey`. */
export interface KeySummary {
  id: string;
  workspace: string;
  name: string;
  hint: string;
  created_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
}

type KeyDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Creates a key of the workspace with this name and returns it. It can never be read again. The audit log names the actor, if there is one.
 *
 * @throws Error if there is no such workspace.
 */
export async function createKey(
  deps: KeyDeps,
  workspaceName: string,
  name: string,
  actor: AuditActor | null = null,
): Promise<{ id: string; key: string }> {
  const workspace = await getWorkspace(deps, workspaceName);
  const { key, hash, hint } = newApiKey(workspace.is_test ? 'test' : 'live');
  if (actor === null) return { id: await storeKey(deps, workspace.id, { hash, hint, name }), key };
  const id = await inTransaction(deps, async (tx) => {
    const made = await storeKey(tx, workspace.id, { hash, hint, name });
    await appendAudit(tx, workspace.id, actor, {
      action: 'key.created',
      target: made,
      after: { name, hint },
    });
    return made;
  });
  return { id, key };
}

/** Stores a key by its SHA-256 and returns its id. */
export async function storeKey(
  deps: KeyDeps,
  workspaceId: string,
  key: { hash: Buffer; hint: string; name: string; createdBy?: string },
): Promise<string> {
  const created_at = deps.clock.now();
  const id = newId('key', created_at);
  await acrossWorkspaces(deps, 'an operator makes keys')
    .insertInto('api_keys')
    .values({
      id,
      workspace_id: workspaceId,
      key_hash: key.hash,
      hint: key.hint,
      name: key.name,
      created_at,
      created_by: key.createdBy ?? null,
    })
    .execute();
  return id;
}

/** Returns all keys, or those of one workspace, oldest first. */
export async function listKeys(deps: KeyDeps, workspaceName?: string): Promise<KeySummary[]> {
  let query = acrossWorkspaces(deps, 'an operator sees all keys')
    .selectFrom('api_keys')
    .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
    .select(['api_keys.id', 'workspaces.name as workspace', 'api_keys.name', 'hint'])
    .select(['api_keys.created_at', 'last_used_at', 'revoked_at'])
    .orderBy('api_keys.id');
  if (workspaceName !== undefined) query = query.where('workspaces.name', '=', workspaceName);
  return query.execute();
}

/**
 * Revokes a key. From the next request on it is refused everywhere, and its waiting requests and its sockets end now. What it sends at the
 * moment is either stored before this returns or refused. What was accepted before goes on. The audit log names the actor, if there is one.
 *
 * @throws Error if there is no such key.
 */
export async function revokeKey(
  deps: ChangeContext,
  id: string,
  actor: AuditActor | null = null,
): Promise<void> {
  const { workspace_id: workspaceId } = await findKey(deps, id);
  await changeSending(deps, { workspaceId, actorId: id }, ['queued', 'sending'], async (tx) => {
    const keys = acrossWorkspaces(tx, 'an operator revokes keys');
    const revoked = await keys
      .updateTable('api_keys')
      .set({ revoked_at: tx.clock.now() })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .returning(['name', 'hint'])
      .executeTakeFirst();
    const act = { action: 'key.revoked', target: id, before: { ...revoked } };
    if (revoked && actor) await appendAudit(tx, workspaceId, actor, act);
  });
  deps.wakeups.wake(workspaceId, 'keys');
}

async function findKey(deps: Pick<KeyDeps, 'db'>, id: string): Promise<{ workspace_id: string }> {
  const key = await acrossWorkspaces(deps, 'an operator revokes keys')
    .selectFrom('api_keys')
    .select('workspace_id')
    .where('id', '=', id)
    .executeTakeFirst();
  if (!key) throw new Error(`There is no key ${id}. "keys list" shows them.`);
  return key;
}
