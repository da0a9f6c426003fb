import type { UpdateWebhook } from '@postrider/contract';
import { changedFields, recordAct } from '../audit/append-audit.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { scoped } from '../db/scoped.ts';
import { notFound } from '../lib/api-error.ts';
import { requireUnheld } from '../policies/require-unheld.ts';
import { checkUrl, newestInsertion, requireInboxes } from './create-webhook.ts';
import { cancelDeliveries } from './end-deliveries.ts';
import { endWatches } from './posting/watch-webhook-state.ts';
import { auditedUrl, auditedWebhook, getWebhook, type WebhookRow } from './webhook.view.ts';

/**
 * Changes the given fields of a webhook. A webhook whose URL was changed counts as created by the caller. A disabled webhook gets no
 * further events, and its pending deliveries are cancelled. One that is enabled again counts as not failing.
 *
 * @throws ApiError `not_found`, also for an inbox; `invalid_request` for a URL to which events cannot be posted, `sending_not_allowed` for
 * a key that a policy limits.
 */
export async function updateWebhook(ctx: Context, id: string, input: UpdateWebhook): Promise<WebhookRow> {
  const { url, events, inbox_ids, enabled } = input;
  const current = await getWebhook(ctx, id);
  await requireUnheld(ctx);
  if (url !== undefined) await checkUrl(ctx, url);
  await requireInboxes(ctx, inbox_ids);
  const changes = {
    // A key that chooses the URL can read what is posted there, so the limits of the key apply to the webhook.
    ...(url !== undefined && url !== current.url && { url, actor_id: ctx.actor.id }),
    ...(events !== undefined && { events }),
    ...(inbox_ids !== undefined && { inbox_ids: inbox_ids ?? ctx.scope.inboxIds }),
    ...(enabled !== undefined && { enabled }),
    ...(enabled && { failing_since: null }),
  };
  if (Object.keys(changes).length === 0) return current;
  const row = await inTransaction(ctx, (tx) => change(tx, id, changes));
  if (enabled === false) {
    endWatches(ctx, id, 'stopped');
    await cancelDeliveries(ctx, id);
  }
  return row;
}

async function change(tx: Context, id: string, changes: Partial<WebhookRow>): Promise<WebhookRow> {
  await requireUnheld(tx);
  const own = scoped(tx).selectFrom('webhooks').selectAll().where('id', '=', id);
  const before = await own.forUpdate().executeTakeFirst();
  if (!before) throw notFound('id');
  const row = await scoped(tx)
    .updateTable('webhooks')
    // Events of the time while it was stopped are not delivered, also where their deliveries were not made yet.
    .set(
      changes.enabled && !before.enabled
        ? { ...changes, after_insertion: await newestInsertion(tx) }
        : changes,
    )
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const changed = changedFields(auditedWebhook(before), auditedWebhook(row));
  // A change of the query alone is recorded, too.
  if (changed || before.url !== row.url)
    await recordAct(tx, {
      action: 'webhook.changed',
      target: id,
      before: { url: auditedUrl(before.url), ...changed?.before },
      after: { url: auditedUrl(row.url), ...changed?.after },
    });
  return row;
}
