import { consoleLimits, type Invitation, type NewInvitation, type Role } from '@postrider/contract/console';
import type { Selectable } from 'kysely';
import { appendAudit } from '../../audit/append-audit.ts';
import { inTransaction } from '../../db/connections.ts';
import { scoped } from '../../db/scoped.ts';
import type { Tables } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { createTokenBuckets, type Rate } from '../../lib/admission/rate.ts';
import { invitationMailRates } from '../../lib/admission/server-limits.ts';
import { ApiError, notFound } from '../../lib/api-error.ts';
import { isId, newId } from '../../lib/ids.ts';
import { perServer } from '../../lib/memory.ts';
import { isReadHere } from '../../people-mail/personal-addresses.ts';
import { newLinkToken, pageLink, queueMail } from '../../people-mail/queue-people-mail.ts';
import { getPerson } from '../person.ts';
import type { ManagerContext, OperatorContext } from '../person-context.ts';
import { requireNoOwner, toAuditActor } from '../person-context.ts';
import { lockWorkspace, readTitle } from '../workspace-title.ts';

const mailBuckets = perServer(() => createTokenBuckets(() => performance.now()));

type InvitationRow = Selectable<Tables['invitations']>;

/** Returns the invitations of the workspace that can still be accepted, newest first. */
export async function listInvitations(ctx: ManagerContext): Promise<Invitation[]> {
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
 * invitation of the same address replaces the first. It is made and not mailed beyond what `countInvitationMail` lets through, and to an
 * address whose mail an inbox of this server receives.
 *
 * @throws ApiError `already_member`, `limit_reached`, or `owner_only` for an admin token, and once the caller is no owner any more.
 */
export function invite(ctx: ManagerContext, invited: Invited): Promise<NewInvitation> {
  return inTransaction(ctx, async (tx) => {
    const { row, link } = await storeInvitation(tx, invited);
    const invitedBy = await nameInviter(tx);
    const workspace = await readTitle(tx, tx.workspaceId);
    const mail = { kind: 'invitation' as const, email: invited.email, link, workspace };
    const isMailed =
      !(await isReadHere(tx, invited.email)) &&
      countInvitationMail(tx, { workspaceId: tx.workspaceId, email: invited.email });
    const mailed = isMailed && (await queueMail(tx, { ...mail, invitedBy }));
    return { ...viewInvitation(row), link, mailed };
  });
}

/** A token of the operator acts for nobody with a name. */
async function nameInviter(tx: ManagerContext): Promise<string> {
  if (tx.personId === null) return 'The operator of this server';
  const { name, email } = await getPerson(tx, tx.personId);
  return `${name} (${email})`;
}

/** The same as `invite` for the operator, who passes the link on. */
export async function inviteByHand(ctx: OperatorContext, invited: Invited): Promise<string> {
  return (await inTransaction(ctx, (tx) => storeInvitation(tx, invited))).link;
}

interface Invited {
  email: string;
  role: Role;
}

async function storeInvitation(
  tx: ManagerContext | OperatorContext,
  { email, role }: Invited,
): Promise<{ row: InvitationRow; link: string }> {
  const { token, hash } = newLinkToken();
  await lockWorkspace(tx, tx.workspaceId);
  await requireInviter(tx);
  await requireRoom(tx, email);
  requireNoOwner(tx, role);
  const replacedRole = await findInvitedRole(tx, email);
  if (replacedRole) requireNoOwner(tx, replacedRole);
  const created_at = tx.clock.now();
  const row: InvitationRow = {
    workspace_id: tx.workspaceId,
    id: newId('inv', created_at),
    email,
    role,
    token_hash: hash,
    invited_by: tx.personId,
    created_at,
    expires_at: new Date(created_at.getTime() + consoleLimits.invitationMs),
  };
  const { workspace_id: _workspace, ...replaced } = row;
  await tx.db
    .insertInto('invitations')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'email']).doUpdateSet(replaced))
    .execute();
  const act = { action: 'member.invited', target: row.id, after: { email, role } };
  await appendAudit(tx, tx.workspaceId, toAuditActor(tx), act);
  return { row, link: pageLink(tx, 'invitation', token) };
}

/**
 * Checks that the inviter is still an owner, and stays one until the transaction ends. Whoever takes that away afterwards finds the
 * invitation and takes it back.
 */
async function requireInviter(tx: ManagerContext | OperatorContext): Promise<void> {
  if (tx.personId === null) return;
  const owner = await scoped(tx)
    .selectFrom('memberships')
    .select('person_id')
    .where('person_id', '=', tx.personId)
    .where('role', '=', 'owner')
    .forShare()
    .executeTakeFirst();
  if (!owner) throw new ApiError('owner_only');
}

/** Returns as what an address is invited already; undefined if it is not. */
async function findInvitedRole(
  tx: ManagerContext | OperatorContext,
  email: string,
): Promise<Role | undefined> {
  const row = await scoped(tx)
    .selectFrom('invitations')
    .select('role')
    .where('email', '=', email)
    .executeTakeFirst();
  return row?.role;
}

/** Takes an invitation back. @throws ApiError `not_found`, or `owner_only` for an admin token. */
export async function revokeInvitation(ctx: ManagerContext, id: string): Promise<void> {
  if (!isId('inv', id)) throw notFound('id');
  await inTransaction(ctx, async (tx) => {
    const row = await scoped(tx)
      .deleteFrom('invitations')
      .where('id', '=', id)
      .returning(['email', 'role'])
      .executeTakeFirst();
    if (!row) throw notFound('id');
    requireNoOwner(tx, row.role);
    const act = { action: 'member.invitation_revoked', target: id, before: row };
    await appendAudit(tx, ctx.workspaceId, toAuditActor(ctx), act);
  });
}

async function requireRoom(tx: ManagerContext | OperatorContext, email: string): Promise<void> {
  const members = await scoped(tx)
    .selectFrom('memberships')
    .innerJoin('people', 'people.id', 'memberships.person_id')
    .select('people.email')
    .execute();
  if (members.some((member) => member.email === email)) throw new ApiError('already_member');
  const { length: invited } = await scoped(tx)
    .selectFrom('invitations')
    .select('id')
    .where('email', '!=', email)
    .where('expires_at', '>', tx.clock.now())
    .execute();
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

/**
 * Counts a mail with an invitation. Returns false for one too many, which is then not sent, so that nobody can fill the mailbox of
 * another.
 */
function countInvitationMail(
  deps: Pick<Deps, 'memory'>,
  { workspaceId, email }: { workspaceId: string; email: string },
): boolean {
  const buckets = mailBuckets(deps);
  const counted: [string, Rate][] = [
    [`address ${email}`, invitationMailRates.address],
    [`workspace ${workspaceId}`, invitationMailRates.workspace],
  ];
  if (counted.some(([key, rate]) => buckets.look(key, rate).waitMs > 0)) return false;
  for (const [key, rate] of counted) buckets.spend(key, rate, 1);
  return true;
}
