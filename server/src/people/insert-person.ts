import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { newId } from '../lib/ids.ts';

/** A person to be stored. */
export interface PersonToStore {
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
