import type { Passkey } from '@postrider/contract/console';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Selectable } from 'kysely';
import type { Logger } from 'pino';
import type { Tables } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Site, Ticket } from './ticket.ts';

/** A passkey as a row. */
export type PasskeyRow = Selectable<Tables['passkeys']>;

/** What the browser returns, which may be anything. */
export type CeremonyResult = Record<string, unknown>;

/** A passkey that an authenticator has just made. */
export type NewCredential = Pick<
  PasskeyRow,
  'credential_id' | 'site' | 'public_key' | 'counter' | 'transports'
>;

/** Ed25519, ECDSA on P-256, and RSA (RFC 9053, RFC 8812). */
export const algorithms = [-8, -7, -257];

const credentialIdPattern = /^[\w-]{1,1400}$/;
/** An RSA key of 8,192 bits has less. */
const publicKeyBytesMax = 1_200;
const transportPattern = /^[a-z-]{1,20}$/;
const transportsMax = 10;

/** Returns the passkey that was made for this ticket at this site; null if the result does not prove one. */
export async function verifyNew(
  { log }: Pick<Deps, 'log'>,
  site: Site,
  { challenge }: Ticket,
  result: CeremonyResult,
): Promise<NewCredential | null> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const verified = await orNull(log, async () => {
    const response = result as unknown as RegistrationResponseJSON;
    if (!(await hasPlainAttestation(response))) return null;
    return verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.hostname,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
  });
  if (!verified?.verified) return null;
  const { id, publicKey, counter, transports } = verified.registrationInfo.credential;
  if (!credentialIdPattern.test(id) || publicKey.length > publicKeyBytesMax) return null;
  return {
    credential_id: id,
    site: site.hostname,
    public_key: Buffer.from(publicKey),
    counter,
    transports: knownTransports(transports),
  };
}

/**
 * Returns the new counter of a passkey that has signed this ticket at this site; null if the result does not prove it, or if the passkey
 * was made for another site.
 */
export async function verifyUse(
  { log }: Pick<Deps, 'log'>,
  site: Site,
  { challenge }: Ticket,
  passkey: PasskeyRow,
  result: CeremonyResult,
): Promise<number | null> {
  if (passkey.site !== null && passkey.site !== site.hostname) return null;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const verified = await orNull(log, () =>
    verifyAuthenticationResponse({
      response: result as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.hostname,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
      },
      requireUserVerification: true,
    }),
  );
  return verified?.verified ? verified.authenticationInfo.newCounter : null;
}

/** Returns the id of the credential that a result names; null if it cannot be one. */
export function credentialIdOf({ id }: CeremonyResult): string | null {
  return typeof id === 'string' && credentialIdPattern.test(id) ? id : null;
}

/** Returns a passkey as the console shows it. */
export function viewPasskey({ id, name, created_at, last_used_at }: PasskeyRow): Passkey {
  return {
    id,
    name,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  };
}

/**
 * No attestation is asked for. One with certificates is refused, since the library would fetch the URLs of revocation lists from them, at
 * the word of a stranger.
 */
async function hasPlainAttestation({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  const format = decoded.get('fmt');
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
}

function knownTransports(transports: unknown): string[] {
  if (!Array.isArray(transports)) return [];
  const isKnown = (one: unknown) => typeof one === 'string' && transportPattern.test(one);
  return transports.filter(isKnown).slice(0, transportsMax);
}

/** The library throws errors of any kind for a result that is not what it should be. */
async function orNull<T>(log: Logger, verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify();
  } catch (error) {
    log.debug({ err: error }, 'the result of a passkey was refused');
    return null;
  }
}
