import { consoleLimits, type Invitation, type NewInvitation, type Role } from '@postrider/contract/console';
import type { Selectable } from 'kysely';
import { appendAudit } from '../audit/append-audit.ts';
import type { Tables } from '../db/database.ts';
import { scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import { ApiError, notFound } from '../lib/api-error.ts';
import { isId, newId } from '../lib/ids.ts';
import { newLinkToken, pageLink } from './link-token.ts';
import { mailInvitation } from './mail-people.ts';
import { auditActorOf } from './members.ts';
import type { MemberContext } from './person-context.ts';

type InvitationRow = Selectable<Tables['invitations']>;

/** Returns the invitations of the workspace that can still be accepted, newest first. */
export async function listInvitations(ctx: MemberContext): Promise<Invitation[]> {
  const rows = await scoped(ctx)
    .selectFrom('invitations')
    .selectAll()
    .where('expires_at', '>', ctx.clock.now())
    .orderBy('id', 'desc')
    .execute();
  return rows.map(viewInvitation);
}

/**
 * Invites a person into the workspace, by mail where mail goes out, and returns the link, which can be read only this once. A second
 * invitation of the same address replaces the first.
 *
 * @throws ApiError `already_member`, or `limit_reached`.
 */
export async function invite(
  ctx: MemberContext,
  { email, role }: { email: string; role: Role },
): Promise<NewInvitation> {
  const { token, hash } = newLinkToken();
  const row = await inTransaction(ctx, async (tx) => {
    await requireRoom(tx, email);
    await scoped(tx).deleteFrom('invitations').where('email', '=', email).execute();
    const created_at = ctx.clock.now();
    const made: InvitationRow = {
      workspace_id: ctx.workspaceId,
      id: newId('inv', created_at),
      email,
      role,
      token_hash: hash,
      invited_by: ctx.personId,
      created_at,
      expires_at: new Date(created_at.getTime() + consoleLimits.invitationMs),
    };
    await tx.db.insertInto('invitations').values(made).execute();
    const act = { action: 'member.invited', target: made.id, after: { email, role } };
    await appendAudit(tx, ctx.workspaceId, auditActorOf(ctx), act);
    return made;
  });
  const link = pageLink(ctx, 'invitation', token);
  return { ...viewInvitation(row), link, mailed: await mailInvitation(ctx, email, link) };
}

/** Takes an invitation back. @throws ApiError `not_found`. */
export async function revokeInvitation(ctx: MemberContext, id: string): Promise<void> {
  if (!isId('inv', id)) throw notFound('id');
  await inTransaction(ctx, async (tx) => {
    const row = await scoped(tx)
      .deleteFrom('invitations')
      .where('id', '=', id)
      .returning(['email', 'role'])
      .executeTakeFirst();
    if (!row) throw notFound('id');
    const act = { action: 'member.invitation_revoked', target: id, before: row };
    await appendAudit(tx, ctx.workspaceId, auditActorOf(ctx), act);
  });
}

async function requireRoom(tx: MemberContext, email: string): Promise<void> {
  const members = await scoped(tx)
    .selectFrom('memberships')
    .innerJoin('people', 'people.id', 'memberships.person_id')
    .select('people.email')
    .execute();
  if (members.some((member) => member.email === email)) throw new ApiError('already_member');
  const { length: invited } = await scoped(tx).selectFrom('invitations').select('id').execute();
  const { membersPerWorkspaceMax, invitationsPerWorkspaceMax: limit } = consoleLimits;
  if (invited >= limit) throw new ApiError('limit_reached', { limit });
  if (members.length >= membersPerWorkspaceMax)
    throw new ApiError('limit_reached', { limit: membersPerWorkspaceMax });
}

function viewInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    invited_by: row.invited_by,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
