import { timingSafeEqual } from 'node:crypto';
import type { Plan } from '@postrider/contract';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { hasExpired, type KeyGate, noteUse, readBearer } from '../keys/authenticate.ts';
import { ApiError } from '../lib/api-error.ts';
import { hashApiKey, looksLikeAdminToken } from '../lib/crypto/api-key.ts';
import type { ActingToken } from '../people/person-context.ts';

/** The workspace that a token manages. */
export interface ManagedWorkspace {
  id: string;
  plan: Plan;
  isTest: boolean;
}

/** The caller of the management API. */
export interface TokenCaller {
  token: ActingToken;
  /** The maker of the token; null for one of the operator. */
  personId: string | null;
  /** Null for a token of the operator, which names the workspace in each request. */
  workspace: ManagedWorkspace | null;
}

/**
 * Returns the caller that an `Authorization` header names. The token is looked up for each request, with the role of its maker, so it stops
 * at the request after it was revoked, or after its maker ceased to be an owner.
 *
 * @throws ApiError `invalid_token`, which looks the same for a token that is malformed, unknown, revoked, expired or without an owner;
 * whatever the gate throws.
 */
export async function authenticateToken(
  deps: Deps,
  authorization: string | undefined,
  gate: KeyGate,
): Promise<TokenCaller> {
  const text = readBearer(authorization, 'admin token');
  if (!looksLikeAdminToken(text)) throw refused();
  const hash = hashApiKey(text);
  const hex = hash.toString('hex');
  gate.admit(hex);
  const row = await findToken(deps, hash);
  const isKnown = row !== undefined && timingSafeEqual(row.token_hash, hash) && !hasExpired(deps, row);
  gate.note(hex, isKnown);
  if (!isKnown) throw refused();
  const { id, rights, created_by: personId } = row;
  const workspace = readWorkspace(row);
  noteUse(deps, 'admin_tokens', row);
  return { token: { id, rights }, personId, workspace };
}

interface WorkspaceColumns {
  workspace_id: string | null;
  plan: Plan | null;
  is_test: boolean | null;
}

/** Without a workspace, a token is of the operator. One whose workspace is missing must not become one. */
function readWorkspace({ workspace_id: id, plan, is_test }: WorkspaceColumns): ManagedWorkspace | null {
  if (id === null) return null;
  if (plan === null) throw refused();
  return { id, plan, isTest: is_test === true };
}

function refused() {
  return new ApiError(
    'invalid_token',
    {},
    {
      message:
        'Invalid token: send `Authorization: Bearer <admin token>` with a valid token whose creator is an owner.',
    },
  );
}

function findToken(deps: Pick<Deps, 'db'>, hash: Buffer) {
  return acrossWorkspaces(deps, 'a token leads to its workspace')
    .selectFrom('admin_tokens as token')
    .leftJoin('workspaces', 'workspaces.id', 'token.workspace_id')
    .leftJoin('memberships as maker', (join) =>
      join
        .onRef('maker.workspace_id', '=', 'token.workspace_id')
        .onRef('maker.person_id', '=', 'token.created_by'),
    )
    .select([
      'token.id',
      'token_hash',
      'rights',
      'created_by',
      'token.workspace_id',
      'expires_at',
      'last_used_at',
    ])
    .select(['plan', 'is_test'])
    .where('token_hash', '=', hash)
    .where('revoked_at', 'is', null)
    .where('workspaces.deleted_at', 'is', null)
    .where((is) => is.or([is('token.workspace_id', 'is', null), is('maker.role', '=', 'owner')]))
    .executeTakeFirst();
}

/** Returns the workspace with an id, for a token of the operator; null if there is none, or if it was deleted. */
export async function findManagedWorkspace(
  deps: Pick<Deps, 'db'>,
  id: string,
): Promise<ManagedWorkspace | null> {
  const row = await acrossWorkspaces(deps, 'a token of the operator manages all workspaces')
    .selectFrom('workspaces')
    .select(['id', 'plan', 'is_test as isTest'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}
