import { id, maker } from './columns.ts';

/**
 * Webhooks and their deliveries, which are both a log and a queue. `due_at` is the time at which a delivery has to be processed: its
 * scheduled time (`next_at`), or the end of its worker's lease; null once nothing is left to do. The queue has two lanes for each webhook,
 * first attempts and retries, so that neither waits for the other. `claims` is the fence between a worker and another one that took over
 * its delivery. `after_insertion` is the newest event from before the webhook.
 */
export const webhooks = [
  `create table webhooks (
    ${id('workspace_id')}, ${id('id')}, url text not null, events text[] not null, enabled boolean not null,
    secret text not null, previous_secret text, previous_secret_until timestamptz(3), failing_since timestamptz(3),
    after_insertion bigint not null, created_at timestamptz(3) not null, ${maker}, inbox_ids text[],
    primary key (workspace_id, id))`,
  'create unique index webhooks_by_id on webhooks (id)',
  `create table webhook_deliveries (
    ${id('workspace_id')}, ${id('id')}, ${id('webhook_id')}, ${id('event_id')}, event text not null, ${id('inbox_id')},
    origin text not null, status text not null, attempts jsonb not null, is_retry boolean not null, claims integer not null,
    next_at timestamptz(3), due_at timestamptz(3), created_at timestamptz(3) not null, ${maker},
    primary key (workspace_id, id)) with (fillfactor = 80)`,
  'create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, id)',
  'create index webhook_deliveries_due on webhook_deliveries (webhook_id, is_retry, due_at) where due_at is not null',
];
