import { acrossWorkspaces } from '../db/scoped.ts';
import type { PersonRow } from './find-person.ts';
import type { PersonContext } from './person-context.ts';

/** Changes the name of the caller, and returns the person. */
export function updatePerson(ctx: PersonContext, { name }: { name: string }): Promise<PersonRow> {
  return acrossWorkspaces(ctx, 'people are not of one workspace')
    .updateTable('people')
    .set({ name })
    .where('id', '=', ctx.personId)
    .returningAll()
    .executeTakeFirstOrThrow();
}
