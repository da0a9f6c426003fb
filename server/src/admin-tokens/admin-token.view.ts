import type { AdminToken } from '@postrider/contract/console';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../lib/api-error.ts';
import { decodeCursor, type Page, pageOf } from '../lib/cursor.ts';

/** The owner of the tokens: a workspace, or the operator if null. */
export interface Owned {
  workspaceId: string | null;
}

/** Returns a page of the tokens of the workspace, revoked ones too, newest first. */
export async function listTokens(
  ctx: Pick<Deps, 'db'> & { workspaceId: string },
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<AdminToken>> {
  let rows = selectTokens(ctx)
    .orderBy('token.id', 'desc')
    .limit(limit + 1);
  if (cursor) rows = rows.where('token.id', '<', decodeCursor(cursor, 1)[0] ?? '');
  const page = pageOf(await rows.execute(), limit, ({ id }) => [id]);
  return { ...page, rows: page.rows.map(viewToken) };
}

/** Returns all tokens of the operator, oldest first. */
export async function listOperatorTokens(ctx: Pick<Deps, 'db'>): Promise<AdminToken[]> {
  return (
    await selectTokens({ ...ctx, workspaceId: null })
      .orderBy('token.id')
      .execute()
  ).map(viewToken);
}

/** Returns the view of a token. @throws ApiError `not_found`. */
export async function getToken(ctx: Pick<Deps, 'db'> & Owned, id: string): Promise<AdminToken> {
  const row = await selectTokens(ctx).where('token.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('id');
  return viewToken(row);
}

function selectTokens({ db, workspaceId }: Pick<Deps, 'db'> & Owned) {
  return acrossWorkspaces({ db }, 'the query names the workspace, or the operator')
    .selectFrom('admin_tokens as token')
    .leftJoin('people', 'people.id', 'token.created_by')
    .leftJoin('memberships as maker', (join) =>
      join
        .onRef('maker.workspace_id', '=', 'token.workspace_id')
        .onRef('maker.person_id', '=', 'token.created_by'),
    )
    .select(['token.id', 'token.name', 'hint', 'rights', 'token.workspace_id', 'maker.role'])
    .select(['token.created_at', 'expires_at', 'last_used_at', 'revoked_at'])
    .select(['people.id as maker_id', 'people.name as maker_name', 'people.email as maker_email'])
    .where('token.workspace_id', workspaceId === null ? 'is' : '=', workspaceId);
}

type TokenRow = Awaited<ReturnType<ReturnType<typeof selectTokens>['executeTakeFirstOrThrow']>>;

function viewToken(row: TokenRow): AdminToken {
  const { maker_id: id, maker_name: name, maker_email: email } = row;
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    rights: row.rights,
    created_by: id && name && email ? { id, name, email } : null,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    is_backed: row.workspace_id === null || row.role === 'owner',
  };
}
