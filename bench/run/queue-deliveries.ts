import type { Subscriber, WebhookSubject } from './webhook-subject.ts';

/** The number of deliveries to queue for each subscriber, and their lane. */
export interface QueuedDeliveries {
  each: number;
  isRetry: boolean;
}

/** Queues overdue deliveries of existing events, all of them at once. */
export async function queueDeliveries(
  { database }: WebhookSubject,
  some: Subscriber[],
  { each, isRetry }: QueuedDeliveries,
): Promise<void> {
  await database.query(insert, [some.map(({ webhookId }) => webhookId), each, isRetry]);
}

/** Takes up to a thousand events of each workspace. The ids of the deliveries are new. */
const insert = `insert into webhook_deliveries (workspace_id, id, webhook_id, event_id, event, inbox_id, origin, status,
    attempts, is_retry, fence, next_at, due_at, created_at)
  select e.workspace_id, 'dlv_01m6' || lpad(floor(extract(epoch from clock_timestamp()))::text || lpad((n * 50 + w.number)::text,
      8, '0'), 22, '0'), w.id, e.id, e.event, e.inbox_id, 'log', 'pending',
    '[{"at": "2026-11-20T09:30:00.000Z", "status_code": 500, "error": null, "duration_ms": 5}]', $3, 1,
    now() - interval '1 hour', now() - interval '1 hour', now()
  from generate_series(1, $2::int) n,
    (select id, workspace_id, row_number() over () - 1 as number from webhooks where id = any($1)) w join (
      select *, row_number() over (partition by workspace_id order by id) - 1 as place,
        least(count(*) over (partition by workspace_id), 1000) as places from events) e on e.workspace_id = w.workspace_id
  where e.place = n % e.places`;
