import type { AdminRight } from '@postrider/contract';
import {
  type AdminToken,
  type CreateAdminToken,
  consoleLimits,
  type NewAdminToken,
} from '@postrider/contract/console';
import { type AuditActor, appendAudit, operator } from '../audit/append-audit.ts';
import { inTransaction } from '../db/connections.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { ApiError, invalidField, notFound } from '../lib/api-error.ts';
import { newAdminToken } from '../lib/crypto/api-key.ts';
import { isId, newId } from '../lib/ids.ts';
import { type MemberContext, toAuditActor } from '../people/person-context.ts';
import { lockWorkspace } from '../people/workspace-title.ts';
import { getToken, type Owned } from './admin-token.view.ts';

type TokensContext = Pick<Deps, 'db' | 'clock'>;

/**
 * Creates a token that acts for the caller, who is an owner, and returns it. It can be read only this once.
 *
 * @throws ApiError `limit_reached` if as many tokens are in force as a workspace may have, `invalid_request` for an `expires_at` that has
 * passed or is more than a year away.
 */
export async function createToken(ctx: MemberContext, input: CreateAdminToken): Promise<NewAdminToken> {
  const { workspaceId, personId } = ctx;
  const made = await inTransaction(ctx, async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await requireRoom(tx, ctx);
    return storeToken(tx, { ...input, workspaceId, personId }, toAuditActor(ctx));
  });
  return { ...(await getToken(ctx, made.id)), token: made.token };
}

/** Creates a token of the operator, for all workspaces, and returns it. @throws ApiError `invalid_request`, as `createToken`. */
export async function createOperatorToken(
  deps: TokensContext,
  input: CreateAdminToken,
): Promise<NewAdminToken> {
  const ctx = { ...deps, workspaceId: null };
  const made = await inTransaction(deps, (tx) =>
    storeToken(tx, { ...input, workspaceId: null, personId: null }, operator),
  );
  return { ...(await getToken(ctx, made.id)), token: made.token };
}

async function requireRoom(
  { db, clock }: TokensContext,
  { workspaceId }: Pick<MemberContext, 'workspaceId'>,
): Promise<void> {
  const { length } = await acrossWorkspaces({ db }, 'the query names the workspace')
    .selectFrom('admin_tokens')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', clock.now())
    .execute();
  const limit = consoleLimits.adminTokensPerWorkspaceMax;
  if (length >= limit) throw new ApiError('limit_reached', { limit });
}

interface TokenToStore extends CreateAdminToken, Owned {
  personId: string | null;
}

async function storeToken(
  tx: TokensContext,
  { name, rights, expires_at, workspaceId, personId }: TokenToStore,
  actor: AuditActor,
): Promise<{ id: string; token: string }> {
  const created_at = tx.clock.now();
  const expiresAt = readExpiry(expires_at, created_at);
  const { key: token, hash, hint } = newAdminToken();
  const id = newId('adm', created_at);
  const given = inOrder(rights);
  await tx.db
    .insertInto('admin_tokens')
    .values({
      id,
      workspace_id: workspaceId,
      token_hash: hash,
      hint,
      name,
      rights: given,
      created_by: personId,
      created_at,
      expires_at: expiresAt,
    })
    .execute();
  const after = { name, hint, rights: given, expires_at: expiresAt.toISOString() };
  const act = { action: 'admin_token.created', target: id, after };
  await appendAudit(tx, await listReached(tx, workspaceId), actor, act);
  return { id, token };
}

function readExpiry(text: string, now: Date): Date {
  const at = new Date(text);
  if (at <= now) throw invalidField('expires_at', 'must be in the future');
  if (at.getTime() > now.getTime() + consoleLimits.adminTokenMs)
    throw invalidField('expires_at', 'must be at most a year from now');
  return at;
}

function inOrder(rights: AdminRight[]): AdminRight[] {
  return [...new Set(rights)].sort();
}

/** A token of the operator reaches every workspace, so each of them has it in its log. */
async function listReached(tx: TokensContext, workspaceId: string | null): Promise<string[]> {
  if (workspaceId !== null) return [workspaceId];
  const rows = await acrossWorkspaces(tx, 'a token of the operator concerns all')
    .selectFrom('workspaces')
    .select('id')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Revokes a token of the workspace. From the next request on it is refused. A second time changes nothing. Returns the token.
 *
 * @throws ApiError `not_found`.
 */
export async function revokeToken(ctx: MemberContext, id: string): Promise<AdminToken> {
  if (!isId('adm', id)) throw notFound('id');
  await getToken(ctx, id);
  await endToken(ctx, { workspaceId: ctx.workspaceId, id }, toAuditActor(ctx));
  return getToken(ctx, id);
}

/**
 * Revokes any token, also one of a workspace.
 *
 * @throws Error if there is no such token.
 */
export async function revokeTokenByHand(deps: TokensContext, id: string): Promise<AdminToken> {
  const row = await acrossWorkspaces(deps, 'the operator ends any token')
    .selectFrom('admin_tokens')
    .select('workspace_id as workspaceId')
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw new Error(`There is no admin token ${id}. "admin-tokens list" shows them.`);
  await endToken(deps, { ...row, id }, operator);
  return getToken({ ...deps, ...row }, id);
}

async function endToken(
  deps: TokensContext,
  { workspaceId, id }: Owned & { id: string },
  actor: AuditActor,
): Promise<void> {
  await inTransaction(deps, async (tx) => {
    const revoked = await acrossWorkspaces(tx, 'the caller has found the token')
      .updateTable('admin_tokens')
      .set({ revoked_at: tx.clock.now() })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .returning(['name', 'hint'])
      .executeTakeFirst();
    if (!revoked) return;
    const act = { action: 'admin_token.revoked', target: id, before: { ...revoked } };
    await appendAudit(tx, await listReached(tx, workspaceId), actor, act);
  });
}
