import type { Deps } from '../deps.ts';
import { findPersonByEmail } from './find-person.ts';
import { queueMail } from './mail-people.ts';
import type { SignInDevice } from './sign-in.ts';
import { countReset } from './sign-in-gate.ts';

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
