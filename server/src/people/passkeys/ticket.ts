/*
 * A ticket is the server's memory of a ceremony of WebAuthn while a person uses the passkey: it has the challenge, and the browser
 * returns it with the result. It is signed, so nothing is stored for the many ceremonies that nobody finishes, and a row records that it
 * was used.
 */
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { sign, verifySignature } from '../../lib/crypto/secrets.ts';
import { sha256 } from '../../lib/crypto/sha256.ts';

/** How long a person has for a ceremony. */
export const ticketMs = 5 * 60_000;

/** The page on which a ceremony takes place. Passkeys belong to the host name. */
export interface Site {
  origin: string;
  hostname: string;
}

/** What a ticket says. */
export interface Ticket {
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
