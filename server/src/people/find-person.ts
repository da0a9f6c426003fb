import type { Selectable } from 'kysely';
import type { Tables } from '../db/database.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';

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
 * that each sees what the one before it did. Rows that refer to the person can be added meanwhile.
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
