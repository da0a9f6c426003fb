import { inTransaction } from '../../db/connections.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { ApiError } from '../../lib/api-error.ts';
import type { Device } from '../person-context.ts';
import { type NewSession, openSession } from '../sessions/sessions.ts';
import {
  type CeremonyResult,
  issueTicket,
  type PasskeyRow,
  readCredentialId,
  readTicket,
  type Site,
  takeTicket,
  ticketMs,
  verifyUse,
} from './passkey-ceremony.ts';
import type { Ceremony } from './passkeys.ts';

/** Begins a sign-in at this site. No account is named: the passkey that the person chooses tells. */
export async function beginPasskeySignIn(deps: Deps, site: Site): Promise<Ceremony> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const options = await generateAuthenticationOptions({
    rpID: site.hostname,
    timeout: ticketMs,
    userVerification: 'required',
  });
  const { origin } = site;
  const ticket = { kind: 'sign-in' as const, challenge: options.challenge, origin, personId: null };
  return { ticket: issueTicket(deps, ticket), options: { ...options } };
}

/**
 * Signs the person of a passkey in. The authenticator has verified the person, by a finger or a PIN, so the passkey is two factors in one
 * and no code is asked for. It works also while guesses of the password are refused.
 *
 * @throws ApiError `wrong_sign_in`, the same for everything that is not right.
 */
export async function signInByPasskey(
  deps: Deps,
  site: Site,
  { ticket, response }: { ticket: string; response: CeremonyResult },
  device: Device,
): Promise<NewSession> {
  const read = readTicket(deps, ticket, { kind: 'sign-in', origin: site.origin });
  const passkey = await findPasskey(deps, readCredentialId(response));
  if (!read || !passkey || !isOfPerson(passkey, response)) throw wrongPasskey();
  const counter = await verifyUse(deps, site, read, passkey, response);
  if (counter === null) throw wrongPasskey();
  return inTransaction(deps, async (tx) => {
    if (!(await takeTicket(tx, ticket))) throw wrongPasskey();
    if (!(await noteUse(tx, passkey, { counter, site: site.hostname }))) throw wrongPasskey();
    return openSession(tx, passkey.person_id, device, 'passkey');
  });
}

async function findPasskey(deps: Pick<Deps, 'db'>, credentialId: string | null): Promise<PasskeyRow | null> {
  if (credentialId === null) return null;
  const row = await acrossWorkspaces(deps, 'people are not of one workspace')
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
  return row ?? null;
}

/** A result with a user handle has to name the person of the passkey (WebAuthn level 3, section 7.2, step 6). */
function isOfPerson({ person_id }: PasskeyRow, { response }: CeremonyResult): boolean {
  const handle = (response as { userHandle?: unknown } | null | undefined)?.userHandle;
  return handle == null || handle === Buffer.from(person_id).toString('base64url');
}

/**
 * Stores the counter. Returns false if the passkey was removed meanwhile, or if its counter has not grown: then there is a copy of it.
 * Passkeys that are synchronised between devices have no counter, which is always 0.
 */
async function noteUse(
  tx: Pick<Deps, 'db' | 'clock'>,
  { id }: PasskeyRow,
  { counter, site }: { counter: number; site: string },
): Promise<boolean> {
  const noted = await acrossWorkspaces(tx, 'people are not of one workspace')
    .updateTable('passkeys')
    .set({ counter, site, last_used_at: tx.clock.now() })
    .where('id', '=', id)
    .where(({ eb, or, and }) =>
      or([eb('counter', '<', counter), and([eb('counter', '=', 0), eb.lit(counter === 0)])]),
    )
    .returning('id')
    .executeTakeFirst();
  return noted !== undefined;
}

function wrongPasskey(): ApiError {
  const message =
    'This passkey is unknown here, or the attempt took too long. Try again, or sign in with your password.';
  return new ApiError('wrong_sign_in', {}, { message });
}
