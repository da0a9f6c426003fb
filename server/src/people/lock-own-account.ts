import { acrossWorkspaces } from '../db/scoped.ts';
import { ApiError } from '../lib/api-error.ts';
import { lockPerson, type PersonRow } from './find-person.ts';
import type { PersonContext } from './person-context.ts';

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
