import type { Deps } from '../deps.ts';
import { findPersonByEmail } from './find-person.ts';
import { mailReset, sendsMail } from './mail-people.ts';
import { createResetLink } from './reset-password.ts';
import { countGuess } from './sign-in-gate.ts';

/**
 * Sends a link for a new password to a person, if there is one with this address. The work is done after the response, so that neither its
 * words nor its time tell whether there is.
 *
 * @throws ApiError `rate_limited`.
 */
export function requestReset(deps: Deps, email: string, address: string | null): void {
  countGuess(deps, { email: `reset ${email}`, personId: null, address, deviceToken: null });
  if (!sendsMail(deps)) return;
  const sent = findPersonByEmail(deps, email)
    .then(async (person) => {
      if (person) await mailReset(deps, email, await createResetLink(deps, person.id));
    })
    .catch((error: unknown) => deps.log.warn({ err: error }, 'a link for a new password was not sent'));
  deps.background.run(sent);
}
