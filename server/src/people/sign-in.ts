import type { SignIn } from '@postrider/contract/console';
import type { Deps } from '../deps.ts';
import { ApiError } from '../lib/api-error.ts';
import { verifyPassword } from '../lib/crypto/hash-password.ts';
import { findPersonByEmail, type PersonRow } from './find-person.ts';
import { type NewSession, openSession } from './open-session.ts';
import type { Device } from './person-context.ts';
import { requireCode } from './second-factor.ts';
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
  return openSession(deps, person.id, device);
}

/** Returns the person who has this address, password and code. */
export async function checkPassword(
  deps: Deps,
  { email, password, code }: SignIn,
  { address, deviceToken }: SignInDevice,
): Promise<PersonRow> {
  const person = await findPersonByEmail(deps, email);
  const takeBack = countGuess(deps, { email, personId: person?.id ?? null, address, deviceToken });
  const isRight = await verifyPassword(password, person?.password_hash ?? null);
  if (!person || !isRight) throw new ApiError('wrong_sign_in');
  // A password without its code is no wrong guess, and one with a wrong code is.
  if (code === undefined && person.second_factor !== null) takeBack();
  await requireCode(deps, person, code);
  takeBack();
  return person;
}
