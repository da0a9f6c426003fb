import { consoleLimits } from '@postrider/contract/console';
import { acrossWorkspaces } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../lib/api-error.ts';
import { hashPassword } from '../lib/crypto/hash-password.ts';
import { sha256 } from '../lib/crypto/sha256.ts';
import { storePasswordHash } from './change-password.ts';
import { endSessions } from './end-sessions.ts';
import { newLinkToken, pageLink } from './link-token.ts';

/** A person who asks more often has older links that no longer work. */
const linksPerPersonMax = 10;

/**
 * Returns a link with which a person chooses a new password within an hour, once. Earlier links go on working, so that a stranger who asks for
 * another one does not take them away; once a password is chosen, all of them are gone.
 */
export async function createResetLink(
  deps: Pick<Deps, 'db' | 'clock' | 'address'>,
  personId: string,
): Promise<string> {
  const { token, hash } = newLinkToken();
  const created_at = deps.clock.now();
  const expires_at = new Date(created_at.getTime() + consoleLimits.resetMs);
  const db = acrossWorkspaces(deps, 'people are not of one workspace');
  await db
    .insertInto('password_resets')
    .values({ token_hash: hash, person_id: personId, created_at, expires_at })
    .execute();
  const excess = db
    .selectFrom('password_resets')
    .select('token_hash')
    .where('person_id', '=', personId)
    .orderBy('created_at', 'desc')
    .offset(linksPerPersonMax);
  await db.deleteFrom('password_resets').where('token_hash', 'in', excess).execute();
  return pageLink(deps, 'new-password', token);
}

/**
 * Sets the password of the person whose link it is, and ends all sessions of that person. A second factor stays. Returns the id of the person.
 *
 * @throws ApiError `link_expired`.
 */
export async function completeReset(deps: Deps, token: string, password: string): Promise<string> {
  const hash = sha256(token);
  const password_hash = await hashPassword(password);
  const personId = await inTransaction(deps, async (tx) => {
    const used = await acrossWorkspaces(tx, 'people are not of one workspace')
      .deleteFrom('password_resets')
      .where('token_hash', '=', hash)
      .where('expires_at', '>', deps.clock.now())
      .returning('person_id')
      .executeTakeFirst();
    if (!used) throw new ApiError('link_expired');
    await storePasswordHash(tx, used.person_id, password_hash);
    return used.person_id;
  });
  await endSessions(deps, { personId });
  return personId;
}
