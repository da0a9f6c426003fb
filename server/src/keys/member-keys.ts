import type { PolicyIn } from '@postrider/contract';
import {
  type ApiKey,
  type ApiKeyIn,
  type ChangedApiKey,
  consoleLimits,
  type KeyWorks,
  type NewApiKey,
  type RevokedApiKey,
} from '@postrider/contract/console';
import { inTransaction } from '../db/connections.ts';
import { scoped } from '../db/scoped.ts';
import { ApiError, invalidField, notFound } from '../lib/api-error.ts';
import { newApiKey } from '../lib/crypto/api-key.ts';
import { decodeCursor, type Page, pageOf } from '../lib/cursor.ts';
import { isId } from '../lib/ids.ts';
import { type ManagerContext, toAuditActor } from '../people/person-context.ts';
import { lockWorkspace } from '../people/workspace-title.ts';
import { findLoosenedLine, findLooserLine } from '../policies/controls.ts';
import { policyAt, withPatterns } from '../policies/set-policy.ts';
import { changeKey, type KeyLimits } from './change-key.ts';
import { endKey, findWorks } from './end-key.ts';
import { policyOfKey, storeKey } from './manage-keys.ts';

type KeysContext = Pick<ManagerContext, 'db' | 'workspaceId'>;

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
 * @throws ApiError `limit_reached` if as many keys are in force as a workspace may have, `not_found` for an inbox that it does not have,
 * `invalid_request` for an `expires_at` that has passed, `right_missing` for an admin token that gives more than it may.
 */
export async function createApiKey(
  ctx: ManagerContext,
  input: ApiKeyIn & { name: string },
): Promise<NewApiKey> {
  const { key, hash, hint } = newApiKey(ctx.isTest ? 'test' : 'live');
  const limits = readLimits(input);
  if (limits.expiresAt && limits.expiresAt <= ctx.clock.now())
    throw invalidField('expires_at', 'must be in the future');
  const id = await inTransaction(ctx, async (tx) => {
    await lockWorkspace(tx, ctx.workspaceId);
    await requireRoomInPolicy(tx, ctx, input.policy);
    const { length } = await scoped(tx)
      .selectFrom('api_keys')
      .select('id')
      .where('revoked_at', 'is', null)
      .execute();
    const limit = consoleLimits.keysPerWorkspaceMax;
    if (length >= limit) throw new ApiError('limit_reached', { limit });
    const made = {
      hash,
      hint,
      name: input.name,
      limits,
      ...(ctx.personId !== null && { createdBy: ctx.personId }),
    };
    return storeKey(tx, ctx.workspaceId, made, toAuditActor(ctx));
  });
  return { ...(await getKey(ctx, id)), key };
}

/**
 * Changes the name or the limits of a key, as `changeKey` does.
 *
 * @throws ApiError `not_found`, also for an inbox, `right_missing` for an admin token that gives more than it may.
 */
export async function updateApiKey(ctx: ManagerContext, id: string, input: ApiKeyIn): Promise<ChangedApiKey> {
  if (!isId('key', id)) throw notFound('id');
  const { name, policy } = input;
  const change = { ...readLimits(input), ...(name !== undefined && { name }) };
  const place = { workspaceId: ctx.workspaceId, id };
  const { heldWebhooks } = await changeKey(ctx, place, change, toAuditActor(ctx), (tx, before) =>
    requireRoomInPolicy(tx, ctx, policy, before.policy),
  );
  return { ...(await getKey(ctx, id)), held_webhooks: heldWebhooks };
}

/**
 * Checks that a policy of a key allows no more than the policy of the workspace, and no more than the one that it replaces, unless the
 * caller can change policies. Between key and workspace, the stricter setting applies in any case; a program that asks for more is told
 * that it does not get it.
 *
 * @throws ApiError `right_missing`.
 */
async function requireRoomInPolicy(
  tx: Pick<KeysContext, 'db'>,
  { workspaceId, token }: ManagerContext,
  given: PolicyIn | undefined,
  replaced: PolicyIn = {},
): Promise<void> {
  if (!given || !token || token.rights.includes('policies')) return;
  const policy = withPatterns(given);
  const set = await policyAt(tx, { workspaceId, level: 'workspace', subjectId: workspaceId });
  const looser = findLooserLine(policy, set);
  if (looser) throw mayNotLoosen(`The policy of the workspace is stricter than \`${looser}\`: leave it out`);
  const loosened = findLoosenedLine(policy, replaced);
  if (loosened) throw mayNotLoosen(`The key has a policy with a stricter \`${loosened}\`: keep that`);
}

function mayNotLoosen(problem: string) {
  const message = `${problem}, or ask an owner for a token with the right \`policies\`.`;
  return new ApiError('right_missing', { right: 'policies' }, { message });
}

/** Returns the webhooks and drafts of a key that stay active without it. @throws ApiError `not_found`. */
export async function listKeyWorks(ctx: KeysContext, id: string): Promise<KeyWorks> {
  if (!isId('key', id)) throw notFound('id');
  await getKey(ctx, id);
  return findWorks(ctx, { workspaceId: ctx.workspaceId, id });
}

/**
 * Revokes a key as `endKey` does. From the next request on every process refuses it, and its waiting requests and sockets end now. A
 * second time changes nothing.
 *
 * @throws ApiError `not_found`.
 */
export async function revokeApiKey(
  ctx: ManagerContext,
  id: string,
  keep: boolean | undefined,
): Promise<RevokedApiKey> {
  if (!isId('key', id)) throw notFound('id');
  await getKey(ctx, id);
  const ended = await endKey(ctx, { workspaceId: ctx.workspaceId, id }, { keep, actor: toAuditActor(ctx) });
  return { ...(await getKey(ctx, id)), ...(ended ?? nothingEnded) };
}

const nothingEnded = { webhooks: [], drafts: [], draft_count: 0, kept: false };

function readLimits({ inbox_ids, read_only, expires_at, policy }: ApiKeyIn): Partial<KeyLimits> {
  return {
    ...(inbox_ids !== undefined && { inboxIds: inbox_ids }),
    ...(read_only !== undefined && { readOnly: read_only }),
    ...(expires_at !== undefined && { expiresAt: expires_at === null ? null : new Date(expires_at) }),
    ...(policy !== undefined && { policy }),
  };
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
    .select(['inbox_ids', 'read_only', 'expires_at', policyOfKey.as('policy')])
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
    inbox_ids: row.inbox_ids,
    read_only: row.read_only,
    expires_at: row.expires_at?.toISOString() ?? null,
    policy: row.policy,
  };
}
