import { consoleLimits } from '@postrider/contract/console';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { isId } from '../lib/ids.ts';
import type { Scope } from '../lib/scope.ts';
import { hasExpired } from './authenticate.ts';

/** Who keeps a request or a socket open: the id of a key or a session, and the inboxes that it had when it began. */
export interface Holder {
  id: string;
  inboxIds: Scope['inboxIds'];
}

/** Why something ends: the key was revoked or has expired, or the session has ended; or people gave the key other inboxes. */
export type Ending = 'revoked' | 'changed';

/** Returns those of some holders who may not go on as they began, and why. */
export async function findEnded<T extends Holder>(
  deps: Pick<Deps, 'db' | 'clock'>,
  holders: T[],
): Promise<Map<T, Ending>> {
  const ids = [...new Set(holders.map(({ id }) => id))];
  const [keys, sessions] = await Promise.all([
    findKeys(
      deps,
      ids.filter((id) => isId('key', id)),
    ),
    findEndedSessions(
      deps,
      ids.filter((id) => isId('ses', id)),
    ),
  ]);
  const ended = new Map<T, Ending>();
  for (const holder of holders) {
    const key = keys.get(holder.id);
    if (sessions.has(holder.id) || (key && (key.revoked_at !== null || hasExpired(deps, key))))
      ended.set(holder, 'revoked');
    else if (key && JSON.stringify(key.inbox_ids) !== JSON.stringify(holder.inboxIds))
      ended.set(holder, 'changed');
  }
  return ended;
}

async function findKeys(deps: Pick<Deps, 'db'>, ids: string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const rows = await acrossWorkspaces(deps, 'a key is global')
    .selectFrom('api_keys')
    .select(['id', 'revoked_at', 'expires_at', 'inbox_ids'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

async function findEndedSessions(deps: Pick<Deps, 'db' | 'clock'>, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const now = deps.clock.now();
  const rows = await acrossWorkspaces(deps, 'a session is not of one workspace')
    .selectFrom('person_sessions')
    .select('id')
    .where('id', 'in', ids)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', new Date(now.getTime() - consoleLimits.sessionIdleMs))
    .execute();
  const live = new Set(rows.map((row) => row.id));
  return new Set(ids.filter((id) => !live.has(id)));
}
