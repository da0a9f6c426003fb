import { consoleLimits } from '@postrider/contract/console';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { isId } from '../lib/ids.ts';

/** Returns which of these keys have been revoked, and which of these sessions have ended. */
export async function findRevoked(deps: Pick<Deps, 'db' | 'clock'>, ids: string[]): Promise<Set<string>> {
  const sessions = ids.filter((id) => isId('ses', id));
  const keys = ids.filter((id) => isId('key', id));
  const [revoked, ended] = await Promise.all([findRevokedKeys(deps, keys), findEnded(deps, sessions)]);
  return new Set([...revoked, ...ended]);
}

async function findRevokedKeys(deps: Pick<Deps, 'db'>, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await acrossWorkspaces(deps, 'a key is global')
    .selectFrom('api_keys')
    .select('id')
    .where('id', 'in', ids)
    .where('revoked_at', 'is not', null)
    .execute();
  return rows.map((row) => row.id);
}

async function findEnded(deps: Pick<Deps, 'db' | 'clock'>, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const now = deps.clock.now();
  const rows = await acrossWorkspaces(deps, 'a session is not of one workspace')
    .selectFrom('person_sessions')
    .select('id')
    .where('id', 'in', ids)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', new Date(now.getTime() - consoleLimits.sessionIdleMs))
    .execute();
  const live = new Set(rows.map((row) => row.id));
  return ids.filter((id) => !live.has(id));
}
