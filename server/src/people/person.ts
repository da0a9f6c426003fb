import type { Person } from '@postrider/contract/console';
import type { Selectable } from 'kysely';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../lib/api-error.ts';
import { newId } from '../lib/ids.ts';
import type { PersonContext } from './person-context.ts';

/** A person as a row. */
export type PersonRow = Selectable<Tables['people']>;

/** Returns the person with this address, in lower case; null if there is none. */
export async function findPersonByEmail(deps: Pick<Deps, 'db'>, email: string): Promise<PersonRow | null> {
  const row = await acrossWorkspaces(deps, 'people are not of one workspace')
    .selectFrom('people')
    .selectAll()
    .where('email', '=', email)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Returns the person with this id, and locks the row until the transaction ends. Changes of an account and new sessions take turns here, so
 * that each sees what the previous one did. Rows that refer to the person can be added meanwhile.
 */
export function lockPerson(tx: Pick<Deps, 'db'>, id: string): Promise<PersonRow> {
  return acrossWorkspaces(tx, 'people are not of one workspace')
    .selectFrom('people')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** Returns the person with this id, who exists as long as one of their sessions does. */
export function getPerson(deps: Pick<Deps, 'db'>, id: string): Promise<PersonRow> {
  return acrossWorkspaces(deps, 'people are not of one workspace')
    .selectFrom('people')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** A person to be stored. */
interface PersonToStore {
  email: string;
  name: string;
  passwordHash: string | null;
}

/** Stores a person and returns the id. */
export async function insertPerson(
  deps: Pick<Deps, 'db' | 'clock'>,
  { email, name, passwordHash }: PersonToStore,
): Promise<string> {
  const created_at = deps.clock.now();
  const id = newId('usr', created_at);
  await acrossWorkspaces(deps, 'people are not of one workspace')
    .insertInto('people')
    .values({ id, email, name, password_hash: passwordHash, recovery_hashes: [], created_at })
    .execute();
  return id;
}

/** Changes the name of the caller, and returns the person. */
export function updatePerson(ctx: PersonContext, { name }: { name: string }): Promise<PersonRow> {
  return acrossWorkspaces(ctx, 'people are not of one workspace')
    .updateTable('people')
    .set({ name })
    .where('id', '=', ctx.personId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Locks the account of the caller until the transaction ends, and returns the person. A request that was on its way when another one
 * ended its session changes nothing any more.
 *
 * @throws ApiError `not_signed_in`.
 */
export async function lockOwnAccount(
  tx: Pick<PersonContext, 'db' | 'personId' | 'sessionId'>,
): Promise<PersonRow> {
  const person = await lockPerson(tx, tx.personId);
  const session = await acrossWorkspaces(tx, 'people are not of one workspace')
    .selectFrom('person_sessions')
    .select('id')
    .where('id', '=', tx.sessionId)
    .executeTakeFirst();
  if (!session) throw new ApiError('not_signed_in');
  return person;
}

/** Returns a person as the console shows it. */
export function viewPerson(row: PersonRow): Person {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    created_at: row.created_at.toISOString(),
    has_password: row.password_hash !== null,
    has_second_factor: row.second_factor !== null,
    recovery_codes_left: row.recovery_hashes.length,
  };
}
