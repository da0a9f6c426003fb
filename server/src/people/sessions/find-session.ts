import type { Plan } from '@postrider/contract';
import { consoleLimits, type Role } from '@postrider/contract/console';
import { prepared } from '../../db/prepared.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { sha256 } from '../../lib/crypto/primitives.ts';
import type { SignedIn } from '../person-context.ts';

/** A session with the workspace that was asked for; null if the person is not in it. */
export interface FoundSession extends SignedIn {
  workspace: { id: string; role: Role; plan: Plan; isTest: boolean } | null;
}

const noteAfterMs = 60_000;
const tokenPattern = /^[\w-]{43}$/;

const selectSession = prepared((db, { hash, workspaceId }: { hash: Buffer; workspaceId: string }) =>
  acrossWorkspaces({ db }, 'a session leads to its person')
    .selectFrom('person_sessions as session')
    .innerJoin('people', 'people.id', 'session.person_id')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.person_id', '=', 'people.id').on('memberships.workspace_id', '=', workspaceId),
    )
    .leftJoin('workspaces', 'workspaces.id', 'memberships.workspace_id')
    .select(['session.id', 'session.person_id', 'session.last_seen_at', 'session.expires_at', 'people.email'])
    .select(['memberships.workspace_id', 'memberships.role', 'workspaces.plan', 'workspaces.is_test'])
    .where('session.token_hash', '=', hash)
    .compile(),
);

/**
 * Returns the session of a token that has not ended; null otherwise. It is read for each request, so an ended session ends everywhere at
 * once.
 */
export async function findSession(
  deps: Pick<Deps, 'db' | 'clock' | 'background' | 'log'>,
  token: string,
  workspaceId: string | null,
): Promise<FoundSession | null> {
  if (!tokenPattern.test(token)) return null;
  const [row] = await selectSession(deps, { hash: sha256(token), workspaceId: workspaceId ?? '' });
  const now = deps.clock.now();
  if (!row || row.expires_at <= now) return null;
  if (now.getTime() - row.last_seen_at.getTime() >= consoleLimits.sessionIdleMs) return null;
  noteUse(deps, row.id, row.last_seen_at, now);
  const { workspace_id: id, role, plan, is_test: isTest } = row;
  return {
    sessionId: row.id,
    personId: row.person_id,
    email: row.email,
    workspace: id && role && plan && isTest !== null ? { id, role, plan, isTest } : null,
  };
}

/** Records the use of a session in the background, at most once a minute. */
function noteUse(
  deps: Pick<Deps, 'db' | 'background' | 'log'>,
  id: string,
  lastSeenAt: Date,
  now: Date,
): void {
  if (now.getTime() - lastSeenAt.getTime() < noteAfterMs) return;
  const noted = acrossWorkspaces(deps, 'people are not of one workspace')
    .updateTable('person_sessions')
    .set({ last_seen_at: now })
    .where('id', '=', id)
    .execute()
    .catch((error: unknown) => deps.log.warn({ err: error }, 'the last use of a session was not recorded'));
  deps.background.run(noted);
}
