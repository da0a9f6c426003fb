import type { Role } from '@postrider/contract/console';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';

/** A person as operators see it. */
export interface PersonSummary {
  id: string;
  email: string;
  name: string;
  workspaces: { name: string; role: Role }[];
  second_factor: boolean;
  passkeys: number;
  created_at: Date;
}

/** Returns all people with their workspaces, in the order in which they came. */
export async function listPeople(deps: Pick<Deps, 'db'>): Promise<PersonSummary[]> {
  const db = acrossWorkspaces(deps, 'an operator sees all people');
  const people = await db
    .selectFrom('people')
    .select(['id', 'email', 'name', 'created_at'])
    .select(({ eb, selectFrom }) => [
      eb('second_factor', 'is not', null).as('second_factor'),
      selectFrom('passkeys')
        .select(({ fn }) => fn.countAll().as('count'))
        .whereRef('person_id', '=', 'people.id')
        .as('passkeys'),
    ])
    .orderBy('id')
    .execute();
  const memberships = await db
    .selectFrom('memberships')
    .innerJoin('workspaces', 'workspaces.id', 'memberships.workspace_id')
    .select(['person_id', 'workspaces.name', 'role'])
    .orderBy('workspaces.id')
    .execute();
  const workspaces = Map.groupBy(memberships, ({ person_id }) => person_id);
  return people.map(({ id, email, name, created_at, second_factor, passkeys }) => ({
    id,
    email,
    name,
    workspaces: (workspaces.get(id) ?? []).map((membership) => ({
      name: membership.name,
      role: membership.role,
    })),
    second_factor: Boolean(second_factor),
    passkeys: Number(passkeys),
    created_at,
  }));
}
