import { type CreateWebhook, limits } from '@postrider/contract';
import { sql } from 'kysely';
import { recordAct } from '../audit/append-audit.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { lock } from '../db/locks.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import { ApiError, invalidField, notFound } from '../lib/api-error.ts';
import { newId } from '../lib/ids.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { requireUnheld } from '../policies/require-unheld.ts';
import { makeSecret, sealSecret } from './sign-delivery.ts';
import { auditedWebhook, type WebhookRow } from './webhook.view.ts';

/**
 * Creates a webhook, which gets every event of its kinds and inboxes from now on: by default of all in the caller's scope. Only this
 * response has its secret.
 *
 * @throws ApiError `invalid_request` for a URL that may not be posted to, `not_found` for an inbox that the caller does not have,
 * `limit_reached`, `sending_not_allowed` for a key that a policy holds.
 */
export async function createWebhook(
  ctx: Context,
  input: CreateWebhook,
): Promise<{ row: WebhookRow; secret: string }> {
  // This comes before the look-up of the name in the URL, because the DNS servers of its zone would see the name.
  await requireUnheld(ctx);
  await checkUrl(ctx, input.url);
  await requireInboxes(ctx, input.inbox_ids);
  const secret = input.secret ?? makeSecret();
  return inTransaction(ctx, async (tx) => {
    await requireUnheld(tx);
    await takeTurns(tx);
    // The time is read under the lock, so that the ids of a workspace have the order of their commits.
    const created_at = ctx.clock.now();
    // The limit is that of the workspace.
    const others = await scoped({ ...tx, scope: wholeWorkspace })
      .selectFrom('webhooks')
      .select('id')
      .execute();
    const limit = limits.webhooksPerWorkspaceMax;
    if (others.length >= limit) throw new ApiError('limit_reached', { limit });
    const id = newWebhookId(
      created_at,
      others.map((other) => other.id),
    );
    const row: WebhookRow = {
      workspace_id: tx.workspaceId,
      id,
      url: input.url,
      events: input.events,
      inbox_ids: input.inbox_ids ?? ctx.scope.inboxIds,
      enabled: true,
      secret: sealSecret(tx.keys, id, secret),
      previous_secret: null,
      previous_secret_until: null,
      failing_since: null,
      after_insertion: await newestInsertion(tx),
      created_at,
      actor_id: tx.actor.id,
      request_id: tx.requestId,
    };
    await tx.db.insertInto('webhooks').values(row).execute();
    await recordAct(tx, { action: 'webhook.created', target: id, after: auditedWebhook(row) });
    return { row, secret };
  });
}

/**
 * Checks that events may be posted to a URL, according to DNS.
 *
 * @throws ApiError `invalid_request` that names `url`.
 */
export async function checkUrl(ctx: Pick<Context, 'egress'>, url: string): Promise<void> {
  const problem = await ctx.egress.findProblem(url);
  if (problem) throw invalidField('url', problem);
}

/**
 * Checks that inboxes are the caller's.
 *
 * @throws ApiError `not_found`.
 */
export async function requireInboxes(ctx: Context, ids: string[] | null | undefined): Promise<void> {
  if (!ids) return;
  const inboxes = await scoped(ctx)
    .selectFrom('inboxes')
    .select('id')
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute();
  if (inboxes.length < ids.length) throw notFound('inbox_ids');
}

/** Serializes the creations of a workspace, so that the limit is exact. */
function takeTurns(tx: Context) {
  return lock(tx, 'webhooks', tx.workspaceId);
}

const randomCharacters = 6;

/** The random end of an id distinguishes the deliveries of an event, so no two webhooks of a workspace may share it. */
function newWebhookId(at: Date, others: string[]): string {
  const ends = new Set(others.map((id) => id.slice(-randomCharacters)));
  for (;;) {
    const id = newId('whk', at);
    if (!ends.has(id.slice(-randomCharacters))) return id;
  }
}

/** Returns the newest insertion. It comes from the database and not from a clock, so any event written later has a greater one. */
export async function newestInsertion(tx: Context): Promise<number> {
  const { rows } = await sql<{ newest: number }>`
    select case when is_called then last_value else 0 end as newest from events_insertion_seq`.execute(
    acrossWorkspaces(tx, 'events of all workspaces share a sequence'),
  );
  return rows[0]?.newest ?? 0;
}
