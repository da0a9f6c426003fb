/*
 * A ticket is the server's memory of a ceremony of WebAuthn while a person uses the passkey: it has the challenge, and the browser
 * returns it with the result. It is signed, so nothing is stored for the many ceremonies that nobody finishes, and a row records that it
 * was used.
 */

import type { Passkey } from '@postrider/contract/console';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Selectable } from 'kysely';
import type { Logger } from 'pino';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Tables } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { sha256, sign, verifySignature } from '../../lib/crypto/primitives.ts';

/** The time that a person has for a ceremony. */
export const ticketMs = 5 * 60_000;

/** The page on which a ceremony takes place. Passkeys belong to the host name. */
export interface Site {
  origin: string;
  hostname: string;
}

/** The content of a ticket. */
interface Ticket {
  kind: 'add' | 'sign-in';
  challenge: string;
  origin: string;
  /** The person who adds a passkey; null for a sign-in, where the passkey tells. */
  personId: string | null;
}

const purpose = 'passkey tickets';

/** Returns the text of a ticket that is good for five minutes. */
export function issueTicket({ keys, clock }: Pick<Deps, 'keys' | 'clock'>, ticket: Ticket): string {
  const expires = clock.now().getTime() + ticketMs;
  const text = Buffer.from(JSON.stringify({ ...ticket, expires })).toString('base64url');
  return `${text}.${sign(keys.key(purpose), text)}`;
}

/** Returns the ticket of this kind for this site; null if it is forged, expired or for anything else. */
export function readTicket(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  ticket: string,
  { kind, origin }: Pick<Ticket, 'kind' | 'origin'>,
): Ticket | null {
  const [text = '', signature = '', ...rest] = ticket.split('.');
  // Its hash records its use, so a ticket has to be good in one spelling alone.
  if (rest.length > 0) return null;
  if (!verifySignature(keys.key(purpose), text, signature)) return null;
  const read = JSON.parse(Buffer.from(text, 'base64url').toString()) as Ticket & { expires: number };
  const isGood = read.kind === kind && read.origin === origin && read.expires > clock.now().getTime();
  return isGood ? read : null;
}

/** Uses a ticket up, in the transaction of what it is used for. Returns false if it was used before, in any process. */
export async function takeTicket(tx: Pick<Deps, 'db' | 'clock'>, ticket: string): Promise<boolean> {
  const taken = await acrossWorkspaces(tx, 'people are not of one workspace')
    .insertInto('used_tickets')
    .values({
      token_hash: sha256(ticket),
      expires_at: new Date(tx.clock.now().getTime() + ticketMs),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('token_hash')
    .executeTakeFirst();
  return taken !== undefined;
}

/** A passkey as a row. */
export type PasskeyRow = Selectable<Tables['passkeys']>;

/** The result from the browser, which may be anything. */
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
export function readCredentialId({ id }: CeremonyResult): string | null {
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
