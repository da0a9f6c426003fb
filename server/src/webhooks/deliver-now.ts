import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import type { EventRow } from '../events/read-log.ts';
import { notFound } from '../lib/api-error.ts';
import { newId } from '../lib/ids.ts';
import { type DeliveryRow, getDelivery } from './find-delivery.ts';
import { getWebhook } from './find-webhook.ts';
import { leaseEnd, postDeliveries } from './post-delivery.ts';
import { sampleEvent } from './sample-event.ts';

/**
 * Posts a sample event to a webhook, whether it is stopped or not, and answers the delivery after its only attempt.
 *
 * @throws ApiError `not_found`.
 */
export const testWebhook = async (ctx: Context, webhookId: string): Promise<DeliveryRow> => {
  await getWebhook(ctx, webhookId);
  return deliverNow(ctx, webhookId, { id: newId('evt'), event: 'message.received' }, null);
};

/**
 * Posts the event of a delivery to its webhook once more, whether that is stopped or not, and answers the new delivery after its
 * first attempt; one that failed is tried again like any other.
 *
 * @throws ApiError `not_found`, also when the event is not kept any more.
 */
export const redeliver = async (ctx: Context, deliveryId: string): Promise<DeliveryRow> => {
  const delivery = await getDelivery(ctx, deliveryId);
  await getWebhook(ctx, delivery.webhook_id);
  if (delivery.origin === 'sample')
    return deliverNow(ctx, delivery.webhook_id, { id: delivery.event_id, event: delivery.event }, null);
  const event = await scoped(ctx)
    .selectFrom('events')
    .selectAll()
    .where('id', '=', delivery.event_id)
    .executeTakeFirst();
  if (!event) throw notFound();
  return deliverNow(ctx, delivery.webhook_id, event, event);
};

/** Makes a delivery that is this request's own, attempts it and answers what came of it. */
const deliverNow = async (
  ctx: Context,
  webhook_id: string,
  { id: event_id, event: kind }: Pick<EventRow, 'id' | 'event'>,
  event: EventRow | null,
): Promise<DeliveryRow> => {
  const created_at = ctx.clock.now();
  const { workspaceId: workspace_id, apiKeyId: api_key_id, requestId: request_id } = ctx;
  const key = { workspace_id, id: newId('dlv', created_at), webhook_id, event_id, created_at };
  const origin = event ? ('repeat' as const) : ('sample' as const);
  const claim = { origin, is_retry: false, claims: 1 };
  await ctx.db
    .insertInto('webhook_deliveries')
    .values({
      ...key,
      ...claim,
      event: kind,
      inbox_id: event?.inbox_id ?? sampleEvent(key).inbox_id,
      status: 'pending',
      attempts: JSON.stringify([]) as never,
      next_at: created_at,
      due_at: leaseEnd(ctx, created_at),
      api_key_id,
      request_id,
    })
    .execute();
  await postDeliveries(ctx, workspace_id, [{ ...key, ...claim, attempted: 0, event }]);
  return getDelivery(ctx, key.id);
};
