import type { SignIn } from '@postrider/contract/console';
import { inTransaction } from '../../db/connections.ts';
import type { Deps } from '../../deps.ts';
import { ApiError } from '../../lib/api-error.ts';
import { verifyPassword } from '../../lib/crypto/hash-password.ts';
import { clientOf } from '../../lib/ip-address.ts';
import { requireCode } from '../factors/second-factor.ts';
import { findPersonByEmail, lockPerson, type PersonRow } from '../person.ts';
import type { Device } from '../person-context.ts';
import { type NewSession, openSession } from './sessions.ts';
import { countGuess } from './sign-in-gate.ts';

/** The device of a sign-in, with its cookie from an earlier one. */
export interface SignInDevice extends Device {
  deviceToken: string | null;
}

/**
 * Signs a person in by password, and by a code where the account has a second factor.
 *
 * @throws ApiError `wrong_sign_in`, the same for a wrong password and an unknown address; `second_factor_required`; `rate_limited`.
 */
export async function signIn(deps: Deps, input: SignIn, device: SignInDevice): Promise<NewSession> {
  const person = await checkPassword(deps, input, device);
  return inTransaction(deps, async (tx) => {
    await requireUnchanged(tx, person);
    return openSession(
      tx,
      person.id,
      device,
      person.second_factor === null ? 'password' : 'password and code',
    );
  });
}

/**
 * Locks the account of a person whose password was checked, in the transaction that opens the session, so that no session that an old
 * password opens outlives its change.
 *
 * @throws ApiError `wrong_sign_in` if the password or the second factor has changed since.
 */
export async function requireUnchanged(tx: Pick<Deps, 'db'>, checked: PersonRow): Promise<void> {
  const { password_hash, second_factor } = await lockPerson(tx, checked.id);
  if (password_hash !== checked.password_hash || second_factor !== checked.second_factor)
    throw new ApiError('wrong_sign_in');
}

/** Returns the person who has this address, password and code. */
export async function checkPassword(
  deps: Deps,
  { email, password, code }: SignIn,
  { address, deviceToken }: SignInDevice,
): Promise<PersonRow> {
  const person = await findPersonByEmail(deps, email);
  const takeBack = countGuess(deps, { email, person, address, deviceToken });
  const isRight = await verifyPassword(password, person?.password_hash ?? null, clientOf(address ?? ''));
  if (!person || !isRight) throw new ApiError('wrong_sign_in');
  // A password without its code is no wrong guess, and one with a wrong code is.
  if (code === undefined && person.second_factor !== null) takeBack();
  await requireCode(deps, person, { code, address });
  takeBack();
  return person;
}
