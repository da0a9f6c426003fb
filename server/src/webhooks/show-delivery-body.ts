import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { serializeEvents } from '../messages/render-events.ts';
import { getDelivery } from './find-delivery.ts';
import { sampleEvent } from './sample-event.ts';

/**
 * Returns the JSON that a redelivery of the caller's delivery would post now: its event with the message as it is now. Null once the
 * event is no longer kept. A sample has other ids each time.
 *
 * @throws ApiError `not_found`.
 */
export async function showDeliveryBody(ctx: Context, id: string): Promise<string | null> {
  const delivery = await getDelivery(ctx, id);
  if (delivery.origin === 'sample') return JSON.stringify(sampleEvent(delivery));
  const event = await scoped(ctx)
    .selectFrom('events')
    .selectAll()
    .where('id', '=', delivery.event_id)
    .executeTakeFirst();
  if (!event) return null;
  const payloads = await serializeEvents(ctx, [event]);
  return payloads.get(event.id)?.bytes.toString('utf8') ?? null;
}
