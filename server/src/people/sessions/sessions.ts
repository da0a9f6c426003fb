import { randomBytes } from 'node:crypto';
import { consoleLimits, type OwnSession } from '@postrider/contract/console';
import { inTransaction } from '../../db/connections.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { sha256 } from '../../lib/crypto/primitives.ts';
import { isId, newId } from '../../lib/ids.ts';
import { type Device, type PersonContext, recordForPerson } from '../person-context.ts';

const tokenBytes = 32;
const userAgentCharactersMax = 300;

/** A new session and its token, which only the browser has. */
export interface NewSession {
  id: string;
  token: string;
  personId: string;
}

/** The proof by which a person signed in. */
type SignInMethod = 'password' | 'password and code' | 'passkey' | 'invitation';

/**
 * Opens a session, in the transaction of the sign-in, and records it in the workspaces of the person. Its token is always new, so nobody
 * can have planted it in the browser before (session fixation). Beyond the maximum number of sessions of a person, the least recently used
 * ones end.
 */
export async function openSession(
  deps: Pick<Deps, 'db' | 'clock'>,
  personId: string,
  device: Device,
  method: SignInMethod,
): Promise<NewSession> {
  const db = acrossWorkspaces(deps, 'people are not of one workspace');
  const now = deps.clock.now();
  const token = randomBytes(tokenBytes).toString('base64url');
  const id = newId('ses', now);
  await db
    .insertInto('person_sessions')
    .values({
      id,
      person_id: personId,
      token_hash: sha256(token),
      created_at: now,
      last_seen_at: now,
      expires_at: new Date(now.getTime() + consoleLimits.sessionAbsoluteMs),
      user_agent: device.userAgent?.slice(0, userAgentCharactersMax) ?? null,
      address: device.address,
    })
    .execute();
  const excess = db
    .selectFrom('person_sessions')
    .select('id')
    .where('person_id', '=', personId)
    .orderBy('last_seen_at', 'desc')
    .offset(consoleLimits.sessionsPerPersonMax);
  await db.deleteFrom('person_sessions').where('id', 'in', excess).execute();
  const actor = { kind: 'person' as const, id: personId, address: device.address, requestId: null };
  await recordForPerson(deps, personId, actor, { action: 'person.signed_in', after: { method } });
  return { id, token, personId };
}

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

type SessionDeps = Pick<Deps, 'db' | 'wakeups'>;

/** The sessions to end: one of a person, all of them, or all but one. */
interface EndedSessions {
  personId: string;
  id?: string;
  except?: string;
}

/**
 * Ends sessions. From the next request on they are refused everywhere, and their waiting requests and sockets end now. A `change` of the
 * account runs before, in the same transaction, so that a crash cannot leave sessions that it should have ended. `record` runs last in
 * it, and puts the change into the audit log. Returns how many ended.
 */
export async function endSessions<Ctx extends SessionDeps>(
  ctx: Ctx,
  ended: EndedSessions,
  change?: (tx: Ctx) => Promise<unknown>,
  record?: (tx: Ctx) => Promise<unknown>,
): Promise<number> {
  const count = change
    ? await inTransaction(ctx, async (tx) => {
        await change(tx);
        const deleted = await deleteSessions(tx, ended);
        await record?.(tx);
        return deleted;
      })
    : await deleteSessions(ctx, ended);
  if (count > 0) await wakeWorkspaces(ctx, ended.personId);
  return count;
}

/** Removes the rows of sessions, in a transaction whose caller wakes the workspaces of the person after it. Returns how many. */
export async function deleteSessions(
  deps: Pick<Deps, 'db'>,
  { personId, id, except }: EndedSessions,
): Promise<number> {
  const db = acrossWorkspaces(deps, 'people are not of one workspace');
  let query = db.deleteFrom('person_sessions').where('person_id', '=', personId);
  if (id !== undefined && !isId('ses', id)) return 0;
  if (id !== undefined) query = query.where('id', '=', id);
  if (except !== undefined) query = query.where('id', '!=', except);
  return (await query.returning('id').execute()).length;
}

/** Makes the requests and sockets that a person has open look whether they may go on. */
export async function wakeWorkspaces(deps: SessionDeps, personId: string): Promise<void> {
  const rows = await acrossWorkspaces(deps, 'people are not of one workspace')
    .selectFrom('memberships')
    .select('workspace_id')
    .where('person_id', '=', personId)
    .execute();
  for (const { workspace_id } of rows) deps.wakeups.wake(workspace_id, 'keys');
}
