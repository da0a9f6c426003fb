import { randomBytes } from 'node:crypto';
import { consoleLimits } from '@postrider/contract/console';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { sha256 } from '../lib/crypto/sha256.ts';
import { newId } from '../lib/ids.ts';
import type { Device } from './person-context.ts';
import { recordForPerson } from './record-for-person.ts';

const tokenBytes = 32;
const userAgentCharactersMax = 300;

/** A new session and its token, which only the browser has. */
export interface NewSession {
  id: string;
  token: string;
  personId: string;
}

/** What a person signed in with. */
export type SignInMethod = 'password' | 'password and code' | 'passkey' | 'invitation';

/**
 * Opens a session, in the transaction of the sign-in, and records it in the workspaces of the person. Its token is always a new one, so
 * nobody can have put it into the browser before (session fixation). Beyond the most sessions of a person, those that were used least
 * lately end.
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
