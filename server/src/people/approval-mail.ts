import type { Role } from '@postrider/contract/console';
import { scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import type { PersonContext } from './person-context.ts';

/** A person who gets mail about messages that wait for approval. */
export interface Reader {
  personId: string;
  email: string;
}

/** Returns whether a member gets mail about held messages: what the member has chosen, else owners do. */
export function wantsApprovalMail({
  approval_mail,
  role,
}: {
  approval_mail: boolean | null;
  role: Role;
}): boolean {
  return approval_mail ?? role === 'owner';
}

/** Returns the members of a workspace who get mail about held messages. */
export async function approvalReaders(ctx: Pick<Deps, 'db'> & { workspaceId: string }): Promise<Reader[]> {
  const members = await scoped(ctx)
    .selectFrom('memberships')
    .innerJoin('people', 'people.id', 'memberships.person_id')
    .select(['person_id as personId', 'email', 'role', 'approval_mail'])
    .orderBy('person_id')
    .execute();
  return members.filter(wantsApprovalMail).map(({ personId, email }) => ({ personId, email }));
}

/**
 * Sets whether the caller gets mail about held messages of a workspace.
 *
 * @throws ApiError `not_found` for a workspace that the caller is not in.
 */
export async function setApprovalMail(
  ctx: PersonContext,
  workspaceId: string,
  approvalMail: boolean,
): Promise<void> {
  if (!isId('wsp', workspaceId)) throw notFound('id');
  const changed = await scoped({ db: ctx.db, workspaceId })
    .updateTable('memberships')
    .set({ approval_mail: approvalMail })
    .where('person_id', '=', ctx.personId)
    .returning('person_id')
    .executeTakeFirst();
  if (!changed) throw notFound('id');
}
