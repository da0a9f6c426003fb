import type { Context } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { scoped } from '../db/scoped.ts';
import type { EventRow } from '../events/read-log.ts';
import { deliveryByHandSlots } from '../lib/admission/server-limits.ts';
import { Slots } from '../lib/admission/slots.ts';
import { ApiError, notFound } from '../lib/api-error.ts';
import { leaseEnd } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { perServer } from '../lib/memory.ts';
import { requireUnheld } from '../policies/require-unheld.ts';
import { type DeliveryRow, getDelivery } from './delivery.ts';
import { sampleEvent } from './delivery-body.ts';
import { deliveryLease, postDeliveries } from './posting/post-delivery.ts';
import { getWebhook } from './webhook.view.ts';

/**
 * Posts a sample event to a webhook, even a stopped one, and returns the delivery after its only attempt.
 *
 * @throws ApiError `not_found`, `limit_reached` while the workspace has too many under way, `sending_not_allowed` for a key that a
 * policy holds.
 */
export async function testWebhook(ctx: Context, webhookId: string): Promise<DeliveryRow> {
  await getWebhook(ctx, webhookId);
  return deliverManually(ctx, webhookId, { id: newId('evt'), event: 'message.received' }, null);
}

/**
 * Posts the event of a delivery to its webhook again, even to a stopped one, and returns the new delivery after its first attempt. If
 * that fails, the delivery is retried like any other.
 *
 * @throws ApiError `not_found`, also if the event is no longer kept; `limit_reached` as `testWebhook`.
 */
export async function redeliver(ctx: Context, deliveryId: string): Promise<DeliveryRow> {
  const delivery = await getDelivery(ctx, deliveryId);
  await getWebhook(ctx, delivery.webhook_id);
  if (delivery.origin === 'sample')
    return deliverManually(ctx, delivery.webhook_id, { id: delivery.event_id, event: delivery.event }, null);
  const event = await scoped(ctx)
    .selectFrom('events')
    .selectAll()
    .where('id', '=', delivery.event_id)
    .executeTakeFirst();
  if (!event) throw notFound('id');
  return deliverManually(ctx, delivery.webhook_id, event, event);
}

const manualSlots = perServer(
  () =>
    new Slots(deliveryByHandSlots, {
      refusal: () =>
        new ApiError(
          'limit_reached',
          { limit: deliveryByHandSlots.ofOwner },
          {
            message:
              'This workspace has too many tests and redeliveries in progress. Wait until one of them ends.',
          },
        ),
    }),
);

/** Creates a delivery for this request, makes its first attempt and returns it with the result. */
async function deliverManually(
  ctx: Context,
  webhook_id: string,
  { id: event_id, event: kind }: Pick<EventRow, 'id' | 'event'>,
  event: EventRow | null,
): Promise<DeliveryRow> {
  const leave = manualSlots(ctx).takeNow(ctx.workspaceId);
  try {
    const created_at = ctx.clock.now();
    const key = {
      workspace_id: ctx.workspaceId,
      id: newId('dlv', created_at),
      webhook_id,
      event_id,
      created_at,
    };
    const origin = event ? ('repeat' as const) : ('sample' as const);
    const claim = { origin, is_retry: false, fence: 1 };
    const inbox_id = event?.inbox_id ?? sampleEvent(key).inbox_id;
    await insertClaimed(ctx, { ...key, ...claim, event: kind, inbox_id });
    const claimed = { ...key, ...claim, attempted: 0, event };
    await postDeliveries(ctx, ctx.workspaceId, [claimed], { cut: ctx.stopping });
    return await getDelivery(ctx, key.id);
  } finally {
    leave();
  }
}

type NewDelivery = Pick<
  DeliveryRow,
  | 'workspace_id'
  | 'id'
  | 'webhook_id'
  | 'event_id'
  | 'created_at'
  | 'origin'
  | 'is_retry'
  | 'fence'
  | 'event'
  | 'inbox_id'
>;

/** A deletion of the webhook waits for this insertion or comes first, which gives a 404. So it leaves no delivery behind. */
function insertClaimed(ctx: Context, row: NewDelivery): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    await requireUnheld(tx);
    const webhook = await scoped(tx)
      .selectFrom('webhooks')
      .select('id')
      .where('id', '=', row.webhook_id)
      .forKeyShare()
      .executeTakeFirst();
    if (!webhook) throw notFound('id');
    await tx.db
      .insertInto('webhook_deliveries')
      .values({
        ...row,
        status: 'pending',
        attempts: JSON.stringify([]) as never,
        next_at: row.created_at,
        due_at: leaseEnd(tx, deliveryLease, row.created_at),
        actor_id: tx.actor.id,
        request_id: tx.requestId,
      })
      .execute();
  });
}
