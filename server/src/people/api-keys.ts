import { type ApiKey, consoleLimits, type NewApiKey } from '@postrider/contract/console';
import { appendAudit } from '../audit/append-audit.ts';
import { scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import { ApiError, notFound } from '../lib/api-error.ts';
import { newApiKey } from '../lib/crypto/api-key.ts';
import { decodeCursor } from '../lib/cursor.ts';
import { isId } from '../lib/ids.ts';
import { type Page, pageOf } from '../lib/page.ts';
import { storeKey } from '../workspaces/manage-keys.ts';
import { lockWorkspace } from './lock-workspace.ts';
import { auditActorOf } from './members.ts';
import type { MemberContext } from './person-context.ts';

type KeysContext = Pick<MemberContext, 'db' | 'workspaceId'>;

/** Returns a page of the keys of the workspace, revoked ones too, newest first. */
export async function listApiKeys(
  ctx: KeysContext,
  query: { limit: number; cursor?: string | undefined },
): Promise<Page<ApiKey>> {
  let rows = selectKeys(ctx)
    .orderBy('api_keys.id', 'desc')
    .limit(query.limit + 1);
  if (query.cursor) rows = rows.where('api_keys.id', '<', decodeCursor(query.cursor, 1)[0] ?? '');
  const page = pageOf(await rows.execute(), query.limit, ({ id }) => [id]);
  return { ...page, rows: page.rows.map(viewKey) };
}

/**
 * Creates a key of the workspace and returns it, which can be read only this once.
 *
 * @throws ApiError `limit_reached` if as many keys are in force as a workspace may have.
 */
export async function createApiKey(ctx: MemberContext, name: string): Promise<NewApiKey> {
  const { key, hash, hint } = newApiKey(ctx.isTest ? 'test' : 'live');
  const id = await inTransaction(ctx, async (tx) => {
    await lockWorkspace(tx, ctx.workspaceId);
    const { length } = await scoped(tx)
      .selectFrom('api_keys')
      .select('id')
      .where('revoked_at', 'is', null)
      .execute();
    const limit = consoleLimits.keysPerWorkspaceMax;
    if (length >= limit) throw new ApiError('limit_reached', { limit });
    const made = await storeKey(tx, ctx.workspaceId, { hash, hint, name, createdBy: ctx.personId });
    const act = { action: 'key.created', target: made, after: { name, hint } };
    await appendAudit(tx, ctx.workspaceId, auditActorOf(ctx), act);
    return made;
  });
  return { ...(await getKey(ctx, id)), key };
}

/**
 * Revokes a key. From the next request on every process refuses it, and its waiting requests and sockets end now. A second time changes
 * nothing.
 *
 * @throws ApiError `not_found`.
 */
export async function revokeApiKey(ctx: MemberContext, id: string): Promise<ApiKey> {
  if (!isId('key', id)) throw notFound('id');
  await inTransaction(ctx, async (tx) => {
    const revoked = await scoped(tx)
      .updateTable('api_keys')
      .set({ revoked_at: ctx.clock.now() })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .returning(['name', 'hint'])
      .executeTakeFirst();
    if (!revoked) return;
    const act = { action: 'key.revoked', target: id, before: revoked };
    await appendAudit(tx, ctx.workspaceId, auditActorOf(ctx), act);
  });
  const key = await getKey(ctx, id);
  ctx.wakeups.wake(ctx.workspaceId, 'keys');
  return key;
}

async function getKey(ctx: KeysContext, id: string): Promise<ApiKey> {
  const row = await selectKeys(ctx).where('api_keys.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('id');
  return viewKey(row);
}

function selectKeys(ctx: KeysContext) {
  return scoped(ctx)
    .selectFrom('api_keys')
    .leftJoin('people', 'people.id', 'api_keys.created_by')
    .select(['api_keys.id', 'api_keys.name', 'hint', 'api_keys.created_at', 'last_used_at', 'revoked_at'])
    .select(['people.id as creator_id', 'people.name as creator_name', 'people.email as creator_email']);
}

function viewKey(row: Awaited<ReturnType<ReturnType<typeof selectKeys>['executeTakeFirstOrThrow']>>): ApiKey {
  const { creator_id: id, creator_name: name, creator_email: email } = row;
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    created_by: id && name && email ? { id, name, email } : null,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}
