import { acrossWorkspaces } from '../db/scoped.ts';
import { ApiError } from '../lib/api-error.ts';
import { hashPassword, verifyPassword } from '../lib/crypto/hash-password.ts';
import { endSessions } from './end-sessions.ts';
import { getPerson } from './find-person.ts';
import { lockOwnAccount } from './lock-own-account.ts';
import type { PersonContext } from './person-context.ts';
import { recordOwnAct } from './record-for-person.ts';
import { countGuess } from './sign-in-gate.ts';

/**
 * Checks the current password before a change of the account. Whoever finds an open browser does not get the account.
 *
 * @throws ApiError `wrong_password`, or `rate_limited` after too many of them.
 */
export async function requirePassword(ctx: PersonContext, password: string): Promise<void> {
  const person = await getPerson(ctx, ctx.personId);
  // The session is the proof that this is a device of the person, so strangers cannot use up its guesses.
  const guess = {
    email: `session ${ctx.sessionId}`,
    person,
    address: ctx.sessionId,
    deviceToken: null,
  };
  const takeBack = countGuess(ctx, guess);
  if (!(await verifyPassword(password, person.password_hash, ctx.personId)))
    throw new ApiError('wrong_password');
  takeBack();
}

/** Changes the password of the caller, and ends the other sessions: whoever knew the old one is out. */
export async function changePassword(ctx: PersonContext, current: string, password: string): Promise<void> {
  await requirePassword(ctx, current);
  const passwordHash = await hashPassword(password, ctx.personId);
  const change = async (tx: PersonContext) => {
    await lockOwnAccount(tx);
    await storePasswordHash(tx, ctx.personId, passwordHash);
  };
  await endSessions(ctx, { personId: ctx.personId, except: ctx.sessionId }, change, (tx) =>
    recordOwnAct(tx, { action: 'person.password_changed' }),
  );
}

/** Stores the hash of a password, in a transaction. Links for a new password that the person has got no longer work. */
export async function storePasswordHash(
  tx: Pick<PersonContext, 'db'>,
  personId: string,
  passwordHash: string,
): Promise<void> {
  const db = acrossWorkspaces(tx, 'people are not of one workspace');
  await db.updateTable('people').set({ password_hash: passwordHash }).where('id', '=', personId).execute();
  await db.deleteFrom('password_resets').where('person_id', '=', personId).execute();
}
