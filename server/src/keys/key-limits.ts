import type { PolicyIn } from '@postrider/contract';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../lib/api-error.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import type { ChangeContext } from '../policies/change-sending.ts';
import { normalized, policyAt, storePolicy } from '../policies/store-policy.ts';

/** What people limit a key to. */
export interface KeyLimits {
  /** The inboxes for which it is; null for all, an empty list for none. */
  inboxIds: string[] | null;
  readOnly: boolean;
  /** From then on it is refused; null for never. */
  expiresAt: Date | null;
  policy: PolicyIn;
}

/** A key, by its id and its workspace. */
export interface KeyPlace {
  workspaceId: string;
  id: string;
}

/** Returns the limits of a key; null if the workspace has no such key. It stays as it is until the transaction ends. */
export async function lockLimits(
  tx: ChangeContext,
  { workspaceId, id }: KeyPlace,
): Promise<(KeyLimits & { name: string }) | null> {
  const row = await scoped({ db: tx.db, workspaceId })
    .selectFrom('api_keys')
    .select(['name', 'inbox_ids', 'read_only', 'expires_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return null;
  const { name, inbox_ids: inboxIds, read_only: readOnly, expires_at: expiresAt } = row;
  return { name, inboxIds, readOnly, expiresAt, policy: await policyAt(tx, placeOf({ workspaceId, id })) };
}

/**
 * Stores limits of a key.
 *
 * @throws ApiError `not_found` for an inbox that the workspace does not have.
 */
export async function storeLimits(
  tx: Pick<Deps, 'db' | 'clock'>,
  place: KeyPlace,
  { inboxIds, readOnly, expiresAt, policy }: Partial<KeyLimits>,
  updatedBy: string | null,
): Promise<void> {
  if (inboxIds) await requireInboxes(tx, place.workspaceId, inboxIds);
  const columns = {
    ...(inboxIds !== undefined && { inbox_ids: inboxIds && [...new Set(inboxIds)] }),
    ...(readOnly !== undefined && { read_only: readOnly }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
  };
  if (Object.keys(columns).length > 0)
    await acrossWorkspaces(tx, 'a key is global')
      .updateTable('api_keys')
      .set(columns)
      .where('id', '=', place.id)
      .execute();
  if (policy !== undefined) await storePolicy(tx, placeOf(place), normalized(policy), updatedBy);
}

async function requireInboxes(tx: Pick<Deps, 'db'>, workspaceId: string, ids: string[]): Promise<void> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return;
  const found = await scoped({ db: tx.db, workspaceId, scope: wholeWorkspace })
    .selectFrom('inboxes')
    .select('id')
    .where('id', 'in', wanted)
    .where('deleted_at', 'is', null)
    .execute();
  if (found.length < wanted.length) throw notFound('inbox_ids');
}

function placeOf({ workspaceId, id }: KeyPlace) {
  return { workspaceId, level: 'key' as const, subjectId: id };
}

/** Returns limits as the audit log, the console and the command line show them; those that are not given are left out. */
export function viewLimits({ inboxIds, readOnly, expiresAt, policy }: Partial<KeyLimits>) {
  return {
    ...(inboxIds !== undefined && { inbox_ids: inboxIds }),
    ...(readOnly !== undefined && { read_only: readOnly }),
    ...(expiresAt !== undefined && { expires_at: expiresAt?.toISOString() ?? null }),
    ...(policy !== undefined && { policy: normalized(policy) }),
  };
}
