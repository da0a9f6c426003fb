import type { Member, Role } from '@postrider/contract/console';
import { appendAudit } from '../audit/append-audit.ts';
import { inTransaction } from '../db/connections.ts';
import { scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { ApiError, notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import type { ManagerContext, OperatorContext, PersonContext } from './person-context.ts';
import { requireNoOwner, toAuditActor } from './person-context.ts';
import { deleteSessions, wakeWorkspaces } from './sessions/sessions.ts';

type MembersContext = Pick<ManagerContext, 'db' | 'workspaceId'>;

/** Returns the people of the workspace, in the order in which they joined. */
export async function listMembers(ctx: MembersContext): Promise<Member[]> {
  const rows = await scoped(ctx)
    .selectFrom('memberships')
    .innerJoin('people', 'people.id', 'memberships.person_id')
    .select(['person_id', 'people.name', 'people.email', 'role', 'memberships.created_at'])
    .select(({ eb, selectFrom }) => [
      eb('people.second_factor', 'is not', null).as('has_second_factor'),
      selectFrom('person_sessions')
        .select(({ fn }) => fn.max('last_seen_at').as('at'))
        .whereRef('person_sessions.person_id', '=', 'memberships.person_id')
        .as('last_seen_at'),
    ])
    .orderBy('memberships.created_at')
    .orderBy('person_id')
    .execute();
  return rows.map(({ created_at, last_seen_at, has_second_factor, ...member }) => ({
    ...member,
    has_second_factor: Boolean(has_second_factor),
    joined_at: created_at.toISOString(),
    last_seen_at: last_seen_at?.toISOString() ?? null,
  }));
}

/**
 * Gives a member another role, and ends the sessions of that person, so that none of them continues with the old role.
 *
 * @throws ApiError `not_found`, `last_owner`, or `owner_only` for an admin token.
 */
export async function setRole(
  ctx: ManagerContext | OperatorContext,
  personId: string,
  role: Role,
): Promise<Member> {
  const changed = await inTransaction<ManagerContext | OperatorContext, boolean>(ctx, async (tx) => {
    const members = await lockMembers(tx);
    const member = requireMember(members, personId);
    for (const touched of [member.role, role]) requireNoOwner(tx, touched);
    if (member.role === role) return false;
    if (role === 'member') {
      requireOtherOwner(members, personId);
      await withdrawInvitations(tx, personId);
    }
    await scoped(tx).updateTable('memberships').set({ role }).where('person_id', '=', personId).execute();
    const act = { action: 'member.role_changed', target: personId };
    if (personId !== ctx.personId) await deleteSessions(tx, { personId });
    await appendAudit(tx, ctx.workspaceId, toAuditActor(ctx), {
      ...act,
      before: { role: member.role },
      after: { role },
    });
    return true;
  });
  if (changed) await wakeWorkspaces(ctx, personId);
  const found = (await listMembers(ctx)).find(({ person_id }) => person_id === personId);
  if (!found) throw notFound('id');
  return found;
}

/**
 * Takes a person out of the workspace, and ends the sessions of that person.
 *
 * @throws ApiError `not_found`, `last_owner`, or `owner_only` for an admin token.
 */
export async function removeMember(ctx: ManagerContext | OperatorContext, personId: string): Promise<void> {
  await inTransaction<ManagerContext | OperatorContext, void>(ctx, async (tx) => {
    const members = await lockMembers(tx);
    const { role } = requireMember(members, personId);
    requireNoOwner(tx, role);
    if (role === 'owner') requireOtherOwner(members, personId);
    await scoped(tx).deleteFrom('memberships').where('person_id', '=', personId).execute();
    await withdrawInvitations(tx, personId);
    await deleteSessions(tx, { personId });
    const act = { action: 'member.removed', target: personId, before: { role } };
    await appendAudit(tx, ctx.workspaceId, toAuditActor(ctx), act);
  });
  await wakeWorkspaces(ctx, personId);
  ctx.wakeups.wake(ctx.workspaceId, 'keys');
}

interface MemberRow {
  person_id: string;
  role: Role;
}

/** Two owners who remove each other at the same time take turns here. */
function lockMembers(tx: MembersContext): Promise<MemberRow[]> {
  const members = scoped(tx).selectFrom('memberships').select(['person_id', 'role']);
  return members.orderBy('person_id').forUpdate().execute();
}

/** Revokes the invitations of a person who can no longer invite. Otherwise the person could use one to come back. */
async function withdrawInvitations(tx: MembersContext, personId: string): Promise<void> {
  await scoped(tx).deleteFrom('invitations').where('invited_by', '=', personId).execute();
}

function requireMember(members: MemberRow[], personId: string): MemberRow {
  const member = members.find(({ person_id }) => person_id === personId);
  if (!member) throw notFound('id');
  return member;
}

function requireOtherOwner(members: MemberRow[], personId: string): void {
  const hasOther = members.some(({ person_id, role }) => role === 'owner' && person_id !== personId);
  if (!hasOther) throw new ApiError('last_owner');
}

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
