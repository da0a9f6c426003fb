import type { PolicyIn } from '@postrider/contract';
import { sql } from 'kysely';
import { type AuditActor, appendAudit } from '../audit/append-audit.ts';
import { inTransaction } from '../db/connections.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { newApiKey } from '../lib/crypto/api-key.ts';
import { newId } from '../lib/ids.ts';
import type { ChangeContext } from '../policies/change-sending.ts';
import { getWorkspace } from '../workspaces/manage-workspaces.ts';
import { type KeyLimits, type KeyPlace, storeLimits, viewLimits } from './change-key.ts';
import { type EndedKey, endKey } from './end-key.ts';

/** A key as operators see it. The key itself is shown once, by `createKey`. */
export interface KeySummary {
  id: string;
  workspace: string;
  name: string;
  hint: string;
  created_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
  inbox_ids: string[] | null;
  read_only: boolean;
  expires_at: Date | null;
  policy: PolicyIn;
}

type KeyDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Creates a key of the workspace with this name and returns it. It can never be read again. The audit log names the actor, if there is one.
 *
 * @throws Error if there is no such workspace.
 * @throws ApiError `not_found` for an inbox that the workspace does not have.
 */
export async function createKey(
  deps: KeyDeps,
  workspaceName: string,
  name: string,
  actor: AuditActor | null = null,
  limits: Partial<KeyLimits> = {},
): Promise<{ id: string; key: string }> {
  const workspace = await getWorkspace(deps, workspaceName);
  const { key, hash, hint } = newApiKey(workspace.is_test ? 'test' : 'live');
  const store = (tx: KeyDeps) => storeKey(tx, workspace.id, { hash, hint, name, limits }, actor);
  const id = deps.db.isTransaction ? await store(deps) : await inTransaction(deps, store);
  return { id, key };
}

/** A key to be stored. */
export interface NewKey {
  /** Its SHA-256. */
  hash: Buffer;
  hint: string;
  name: string;
  createdBy?: string;
  limits?: Partial<KeyLimits>;
}

/**
 * Stores a key with its limits, in a transaction, and returns its id. The audit log names the actor, if there is one.
 *
 * @throws ApiError `not_found` for an inbox that the workspace does not have.
 */
export async function storeKey(
  tx: KeyDeps,
  workspaceId: string,
  { hash, hint, name, createdBy, limits = {} }: NewKey,
  actor: AuditActor | null,
): Promise<string> {
  const created_at = tx.clock.now();
  const id = newId('key', created_at);
  await acrossWorkspaces(tx, 'an operator makes keys')
    .insertInto('api_keys')
    .values({
      id,
      workspace_id: workspaceId,
      key_hash: hash,
      hint,
      name,
      created_at,
      created_by: createdBy ?? null,
    })
    .execute();
  await storeLimits(tx, { workspaceId, id }, limits, createdBy ?? null);
  const after = { name, hint, ...viewLimits(limits) };
  if (actor) await appendAudit(tx, workspaceId, actor, { action: 'key.created', target: id, after });
  return id;
}

/** The lines of the policy of a row of `api_keys`. */
export const policyOfKey = sql<PolicyIn>`coalesce((select p.lines from policies p
  where p.workspace_id = api_keys.workspace_id and p.level = 'key' and p.subject_id = api_keys.id), '{}')`;

/** Returns all keys, or those of one workspace, oldest first. */
export async function listKeys(deps: KeyDeps, workspaceName?: string): Promise<KeySummary[]> {
  let query = acrossWorkspaces(deps, 'an operator sees all keys')
    .selectFrom('api_keys')
    .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
    .select(['api_keys.id', 'workspaces.name as workspace', 'api_keys.name', 'hint'])
    .select(['api_keys.created_at', 'last_used_at', 'revoked_at'])
    .select(['inbox_ids', 'read_only', 'expires_at', policyOfKey.as('policy')])
    .orderBy('api_keys.id');
  if (workspaceName !== undefined)
    query = query.where('workspaces.name', '=', workspaceName).where('workspaces.deleted_at', 'is', null);
  return query.execute();
}

/**
 * Revokes a key as `endKey` does.
 *
 * @throws Error if there is no such key.
 */
export async function revokeKey(
  deps: ChangeContext,
  id: string,
  actor: AuditActor | null = null,
  keep = false,
): Promise<EndedKey | null> {
  return endKey(deps, await findKey(deps, id), { keep, actor });
}

/**
 * Returns the place of a key.
 *
 * @throws Error if there is no such key.
 */
export async function findKey(deps: Pick<KeyDeps, 'db'>, id: string): Promise<KeyPlace> {
  const key = await acrossWorkspaces(deps, 'an operator sees all keys')
    .selectFrom('api_keys')
    .select('workspace_id')
    .where('id', '=', id)
    .executeTakeFirst();
  if (!key) throw new Error(`There is no key ${id}. "keys list" shows them.`);
  return { workspaceId: key.workspace_id, id };
}
