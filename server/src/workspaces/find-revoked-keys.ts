import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';

/** Returns the ids of those keys that have been revoked. */
export async function findRevokedKeys(deps: Pick<Deps, 'db'>, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await acrossWorkspaces(deps, 'a key is global')
    .selectFrom('api_keys')
    .select('id')
    .where('id', 'in', ids)
    .where('revoked_at', 'is not', null)
    .execute();
  return new Set(rows.map((row) => row.id));
}
