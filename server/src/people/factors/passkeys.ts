import { brand } from '@postrider/contract';
import { consoleLimits, type Passkey } from '@postrider/contract/console';
import { inTransaction } from '../../db/connections.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import { ApiError, invalidField, notFound } from '../../lib/api-error.ts';
import { isId, newId } from '../../lib/ids.ts';
import { getPerson, lockOwnAccount } from '../person.ts';
import { type PersonContext, recordOwnAct } from '../person-context.ts';
import { endSessions } from '../sessions/sessions.ts';
import {
  algorithms,
  type CeremonyResult,
  issueTicket,
  type NewCredential,
  type PasskeyRow,
  readTicket,
  type Site,
  takeTicket,
  ticketMs,
  verifyNew,
  viewPasskey,
} from './passkey-ceremony.ts';

/** The data that a browser needs for a ceremony. */
export interface Ceremony {
  ticket: string;
  options: Record<string, unknown>;
}

/** A passkey to be added. */
interface PasskeyToAdd {
  ticket: string;
  name: string;
  response: CeremonyResult;
}

/** Returns the passkeys of the caller, oldest first. */
export async function listPasskeys(ctx: PersonContext): Promise<Passkey[]> {
  return (await selectPasskeys(ctx)).map(viewPasskey);
}

/**
 * Begins to add a passkey at this site. It can sign in alone, so it knows the person and must verify that the person is holding it.
 *
 * @throws ApiError `limit_reached`.
 */
export async function beginPasskey(ctx: PersonContext, site: Site): Promise<Ceremony> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const [person, passkeys] = await Promise.all([getPerson(ctx, ctx.personId), selectPasskeys(ctx)]);
  requireRoom(passkeys.length);
  const options = await generateRegistrationOptions({
    rpName: brand.product,
    rpID: site.hostname,
    userID: new Uint8Array(Buffer.from(ctx.personId)),
    userName: ctx.email,
    userDisplayName: person.name,
    timeout: ticketMs,
    attestationType: 'none',
    excludeCredentials: passkeys.map(({ credential_id, transports }) => ({ id: credential_id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  });
  const { origin } = site;
  const ticket = { kind: 'add' as const, challenge: options.challenge, origin, personId: ctx.personId };
  return { ticket: issueTicket(ctx, ticket), options: { ...options } };
}

/**
 * Adds a passkey that an authenticator has made for a ticket.
 *
 * @throws ApiError `invalid_request` for a ticket or a result that is not good; `limit_reached`.
 */
export async function addPasskey(
  ctx: PersonContext,
  site: Site,
  { ticket, name, response }: PasskeyToAdd,
): Promise<Passkey> {
  const read = readTicket(ctx, ticket, { kind: 'add', origin: site.origin });
  if (read?.personId !== ctx.personId) throw staleTicket();
  const credential = await verifyNew(ctx, site, read, response);
  if (!credential)
    throw invalidField('response', 'does not prove a passkey that was just created on this site');
  return inTransaction(ctx, async (tx) => {
    // Ceremonies of one person take turns here, so that none passes the limit.
    await lockOwnAccount(tx);
    requireRoom((await selectPasskeys(tx)).length);
    if (!(await takeTicket(tx, ticket))) throw staleTicket();
    const passkey = viewPasskey(await store(tx, name, credential));
    await recordOwnAct(tx, { action: 'person.passkey_added', after: { name } });
    return passkey;
  });
}

/**
 * Removes a passkey of the caller, and ends the other sessions, since the device with it may be lost.
 *
 * @throws ApiError `not_found`.
 */
export async function removePasskey(ctx: PersonContext, id: string): Promise<void> {
  if (!isId('psk', id)) throw notFound('id');
  let before = { name: '' };
  const change = async (tx: PersonContext) => {
    const removed = await people(tx)
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('person_id', '=', ctx.personId)
      .returning('name')
      .executeTakeFirst();
    if (!removed) throw notFound('id');
    before = removed;
  };
  await endSessions(ctx, { personId: ctx.personId, except: ctx.sessionId }, change, (tx) =>
    recordOwnAct(tx, { action: 'person.passkey_removed', before }),
  );
}

/** Removes all passkeys of a person, in the transaction of a change after which only the person may sign in. */
export async function removePasskeys(tx: Pick<PersonContext, 'db'>, personId: string): Promise<void> {
  await people(tx).deleteFrom('passkeys').where('person_id', '=', personId).execute();
}

async function store(tx: PersonContext, name: string, credential: NewCredential): Promise<PasskeyRow> {
  const created_at = tx.clock.now();
  const id = newId('psk', created_at);
  const row = { id, person_id: tx.personId, name, created_at, last_used_at: null, ...credential };
  const stored = await people(tx)
    .insertInto('passkeys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!stored) throw invalidField('response', 'belongs to a passkey that is already in use');
  return stored;
}

function selectPasskeys(ctx: Pick<PersonContext, 'db' | 'personId'>): Promise<PasskeyRow[]> {
  const own = people(ctx).selectFrom('passkeys').selectAll().where('person_id', '=', ctx.personId);
  return own.orderBy('id').execute();
}

function people(ctx: Pick<PersonContext, 'db'>) {
  return acrossWorkspaces(ctx, 'people are not of one workspace');
}

function requireRoom(count: number): void {
  const limit = consoleLimits.passkeysPerPersonMax;
  if (count >= limit) throw new ApiError('limit_reached', { limit });
}

function staleTicket(): ApiError {
  return invalidField('ticket', 'has expired or has been used; start again');
}
