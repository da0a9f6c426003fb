import { contract, type Delivery, type ListDeliveries, type ListWebhooks, limits } from '@postrider/contract';
import { recordAct } from '../audit/append-audit.ts';
import { type Context, contextOf } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { scoped } from '../db/scoped.ts';
import { jobNames } from '../jobs/job-names.ts';
import { notFound } from '../lib/api-error.ts';
import { decodeCursor, type Page, pageOf } from '../lib/cursor.ts';
import { isId } from '../lib/ids.ts';
import { requireUnheld } from '../policies/require-unheld.ts';
import { defineRoutes } from '../routes.ts';
import { createWebhook } from './create-webhook.ts';
import { redeliver, testWebhook } from './deliver-manually.ts';
import type { DeliveryRow } from './delivery.ts';
import { endWatches } from './posting/watch-webhook-state.ts';
import { makeSecret, sealSecret } from './sign-delivery.ts';
import { updateWebhook } from './update-webhook.ts';
import {
  auditedUrl,
  auditedWebhook,
  getWebhook,
  viewWebhook,
  viewWithSecret,
  type WebhookRow,
} from './webhook.view.ts';

/** Handlers of `/webhooks`. */
export const webhooksRoutes = defineRoutes(contract.webhooks, {
  create: async ({ body, res }) => ({
    status: 201,
    body: viewWithSecret(await createWebhook(contextOf(res), body)),
  }),
  list: async ({ query, res }) => {
    const { rows, nextCursor } = await listWebhooks(contextOf(res), query);
    return { status: 200, body: { webhooks: rows.map(viewWebhook), next_cursor: nextCursor } };
  },
  get: async ({ params, res }) => ({
    status: 200,
    body: viewWebhook(await getWebhook(contextOf(res), params.id)),
  }),
  update: async ({ params, body, res }) => ({
    status: 200,
    body: viewWebhook(await updateWebhook(contextOf(res), params.id, body)),
  }),
  delete: async ({ params, res }) => {
    await deleteWebhook(contextOf(res), params.id);
    return { status: 204, body: undefined };
  },
  test: async ({ params, res }) => ({
    status: 200,
    body: viewDelivery(await testWebhook(contextOf(res), params.id)),
  }),
  rotateSecret: async ({ params, res }) => ({
    status: 200,
    body: viewWithSecret(await rotateSecret(contextOf(res), params.id)),
  }),
  deliveries: async ({ params, query, res }) => {
    const { rows, nextCursor } = await listDeliveries(contextOf(res), params.id, query);
    return { status: 200, body: { deliveries: rows.map(viewDelivery), next_cursor: nextCursor } };
  },
});

/** Handlers of `/deliveries`. */
export const deliveriesRoutes = defineRoutes(contract.deliveries, {
  redeliver: async ({ params, res }) => ({
    status: 200,
    body: viewDelivery(await redeliver(contextOf(res), params.id)),
  }),
});

/**
 * Deletes a webhook. Posts to it in progress are cut, nothing further is posted, and its deliveries disappear from all responses. A job
 * that is created in the same transaction removes their rows.
 *
 * @throws ApiError `not_found`.
 */
async function deleteWebhook(ctx: Context, id: string): Promise<void> {
  if (!isId('whk', id)) throw notFound('id');
  await inTransaction(ctx, async (tx) => {
    const deleted = await scoped(tx)
      .deleteFrom('webhooks')
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!deleted) throw notFound('id');
    await tx.queue.enqueue(tx, jobNames.purgeWebhook, { workspaceId: tx.workspaceId, webhookId: id });
    await recordAct(tx, { action: 'webhook.deleted', target: id, before: auditedWebhook(deleted) });
  });
  endWatches(ctx, id, 'deleted');
}

/** A delivery as the API shows it. */
function viewDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    event: row.event,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: row.next_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

/**
 * Returns a page of the deliveries of the caller's webhook, newest first.
 *
 * @throws ApiError `not_found`.
 */
async function listDeliveries(
  ctx: Context,
  webhookId: string,
  query: ListDeliveries,
): Promise<Page<DeliveryRow>> {
  await getWebhook(ctx, webhookId);
  let rows = scoped(ctx)
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (query.cursor) rows = rows.where('id', '<', decodeCursor(query.cursor, 1)[0] ?? '');
  return pageOf(await rows.execute(), query.limit, (row) => [row.id]);
}

/** Returns a page of the caller's webhooks, newest first. */
async function listWebhooks(ctx: Context, query: ListWebhooks): Promise<Page<WebhookRow>> {
  let rows = scoped(ctx)
    .selectFrom('webhooks')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (query.cursor) rows = rows.where('id', '<', decodeCursor(query.cursor, 1)[0] ?? '');
  return pageOf(await rows.execute(), query.limit, (row) => [row.id]);
}

/**
 * Gives a webhook a new secret, which signs from now on. The previous one also signs for 24 hours.
 *
 * @throws ApiError `not_found`, `sending_not_allowed` for a key that a policy holds.
 */
async function rotateSecret(ctx: Context, id: string): Promise<{ row: WebhookRow; secret: string }> {
  if (!isId('whk', id)) throw notFound('id');
  const secret = makeSecret();
  return inTransaction(ctx, async (tx) => {
    await requireUnheld(tx);
    const previous_secret_until = tx.timeScale.after(tx.clock.now(), limits.webhookSecretOverlapMs);
    const row = await scoped(tx)
      .updateTable('webhooks')
      .set((webhook) => ({
        secret: sealSecret(tx.keys, id, secret),
        previous_secret: webhook.ref('secret'),
        previous_secret_until,
      }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw notFound('id');
    const after = { url: auditedUrl(row.url), previous_secret_until };
    await recordAct(tx, { action: 'webhook.secret_rotated', target: id, after });
    return { row, secret };
  });
}
