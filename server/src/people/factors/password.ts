import { consoleLimits } from '@postrider/contract/console';
import { inTransaction } from '../../db/connections.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { ApiError } from '../../lib/api-error.ts';
import { hashPassword, verifyPassword } from '../../lib/crypto/hash-password.ts';
import { sha256, sign } from '../../lib/crypto/primitives.ts';
import { clientOf } from '../../lib/ip-address.ts';
import { newLinkToken, pageLink, queueMail } from '../../people-mail/queue-people-mail.ts';
import { findPersonByEmail, getPerson, lockOwnAccount, lockPerson } from '../person.ts';
import { type PersonContext, recordForPerson, recordOwnAct } from '../person-context.ts';
import { endSessions } from '../sessions/sessions.ts';
import type { SignInDevice } from '../sessions/sign-in.ts';
import { countGuess, countLinkUse, countReset } from '../sessions/sign-in-gate.ts';
import { removePasskeys } from './passkeys.ts';

/**
 * Checks the current password before a change of the account. Somebody who finds an open browser cannot take over the account.
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
async function storePasswordHash(
  tx: Pick<PersonContext, 'db'>,
  personId: string,
  passwordHash: string,
): Promise<void> {
  const db = acrossWorkspaces(tx, 'people are not of one workspace');
  await db.updateTable('people').set({ password_hash: passwordHash }).where('id', '=', personId).execute();
  await db.deleteFrom('password_resets').where('person_id', '=', personId).execute();
}

/**
 * Has a link for a new password sent to a person, if there is one with this address. That is looked up by the job, so that neither the
 * words nor the time of the response tell whether there is.
 *
 * @throws ApiError `rate_limited`.
 */
export async function requestReset(
  deps: Deps,
  email: string,
  { address, deviceToken }: SignInDevice,
): Promise<void> {
  const person = await findPersonByEmail(deps, email);
  const isWanted = countReset(deps, { email, person, address, deviceToken });
  if (isWanted) await queueMail(deps, { kind: 'reset', email });
}

/** Strangers can have so many links mailed to a person that work at the same time. */
const mailedLinksMax = 10;
const purpose = 'links for a new password';

type LinkDeps = Pick<Deps, 'db' | 'clock' | 'address'>;

/**
 * Returns a link with which a person chooses a new password within an hour, once. Earlier links still work. Once a password is chosen,
 * all of them are gone.
 */
export async function createResetLink(deps: LinkDeps, personId: string): Promise<string> {
  const { token, hash } = newLinkToken();
  await storeLink(deps, personId, hash);
  return pageLink(deps, 'new-password', token);
}

/**
 * Returns the link of one mail. It is the same for each attempt to send the mail, and valid for an hour after the last one. Returns null if
 * a person who asks repeatedly already has enough valid links. Those stay valid, so that a stranger who asks cannot invalidate a link,
 * least of all one from the operator.
 */
export function createMailedResetLink(
  deps: LinkDeps & Pick<Deps, 'keys'>,
  personId: string,
  mailId: string,
): Promise<string | null> {
  const token = sign(deps.keys.key(purpose), mailId);
  return inTransaction(deps, async (tx) => {
    await lockPerson(tx, personId);
    const others = await acrossWorkspaces(tx, 'people are not of one workspace')
      .selectFrom('password_resets')
      .select('token_hash')
      .where('person_id', '=', personId)
      .where('token_hash', '!=', sha256(token))
      .where('expires_at', '>', tx.clock.now())
      .execute();
    if (others.length >= mailedLinksMax) return null;
    await storeLink(tx, personId, sha256(token));
    return pageLink(tx, 'new-password', token);
  });
}

async function storeLink(deps: LinkDeps, personId: string, token_hash: Buffer): Promise<void> {
  const created_at = deps.clock.now();
  const expires_at = new Date(created_at.getTime() + consoleLimits.resetMs);
  await acrossWorkspaces(deps, 'people are not of one workspace')
    .insertInto('password_resets')
    .values({ token_hash, person_id: personId, created_at, expires_at })
    .onConflict((conflict) => conflict.column('token_hash').doUpdateSet({ expires_at }))
    .execute();
}

/**
 * Sets the password of the person whose link it is, removes the passkeys, and ends all sessions: the link proves the person, and
 * a stranger may have made the account with this address before. A second factor stays. Returns the id of the person.
 *
 * @throws ApiError `link_expired`, or `rate_limited`.
 */
export async function completeReset(
  deps: Deps,
  { token, password }: { token: string; password: string },
  address: string | null,
): Promise<string> {
  const hash = sha256(token);
  // Only people with a link can have a password hashed.
  const personId = await findLink(deps, hash);
  const takeBack = countLinkUse(deps, address);
  const passwordHash = await hashPassword(password, clientOf(address ?? ''));
  const change = async (tx: Deps) => {
    await lockPerson(tx, personId);
    await findLink(tx, hash);
    await storePasswordHash(tx, personId, passwordHash);
    await removePasskeys(tx, personId);
  };
  const actor = { kind: 'person' as const, id: personId, address, requestId: null };
  await endSessions(deps, { personId }, change, (tx) =>
    recordForPerson(tx, personId, actor, { action: 'person.password_reset' }),
  );
  takeBack();
  return personId;
}

async function findLink(deps: Pick<Deps, 'db' | 'clock'>, hash: Buffer): Promise<string> {
  const link = await acrossWorkspaces(deps, 'people are not of one workspace')
    .selectFrom('password_resets')
    .select('person_id')
    .where('token_hash', '=', hash)
    .where('expires_at', '>', deps.clock.now())
    .executeTakeFirst();
  if (!link) throw new ApiError('link_expired');
  return link.person_id;
}
