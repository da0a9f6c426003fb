import { consoleLimits, type OwnSession } from '@postrider/contract/console';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { PersonContext } from './person-context.ts';

/** Returns the sessions of the caller that have not ended, the one used last first. */
export async function listSessions(ctx: PersonContext): Promise<OwnSession[]> {
  const now = ctx.clock.now();
  const rows = await acrossWorkspaces(ctx, 'people are not of one workspace')
    .selectFrom('person_sessions')
    .selectAll()
    .where('person_id', '=', ctx.personId)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', new Date(now.getTime() - consoleLimits.sessionIdleMs))
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    current: row.id === ctx.sessionId,
    user_agent: row.user_agent,
    address: row.address,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }));
}
