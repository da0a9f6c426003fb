import { id } from './columns.ts';

/**
 * The event log and its followers. Webhooks and their deliveries, which are both a log and a queue. `due_at` is the time at which a
 * delivery must be processed: its scheduled time (`next_at`), or the end of its worker's lease; null once nothing is left to do. The queue
 * has two lanes for each webhook, first attempts and retries, so that neither waits for the other. `claims` is the fence between a worker
 * and another one that took over its delivery. `after_insertion` is the newest event from before the webhook was created or enabled again.
 */
export const webhooks = [
  'create sequence event_positions',
  `create table events (
    ${id('workspace_id')}, ${id('id')}, insertion bigserial, position bigint, event text not null, ${id('inbox_id')},
    thread_id text collate "C", message_id text collate "C", extra jsonb not null, created_at timestamptz(3) not null,
    primary key (workspace_id, id))`,
  'create index events_by_position on events ("position") where "position" is not null',
  // Rows are inserted in the order of their times, so a block range index works and costs writers next to nothing.
  'create index events_by_time on events using brin (created_at)',
  'create index events_in_order on events (workspace_id, "position") where "position" is not null',
  'create index events_of_inbox on events (workspace_id, inbox_id, "position") where "position" is not null',
  'create index events_of_message on events (workspace_id, message_id)',
  'create index events_to_order on events (insertion) where "position" is null',
  'create table event_followers (name text not null, position bigint not null, primary key (name))',
  `insert into event_followers (name, position) values ('webhooks', 0)`,
  `create table webhooks (
    ${id('workspace_id')}, ${id('id')}, url text not null, events text[] not null, enabled boolean not null, secret text not null,
    previous_secret text, previous_secret_until timestamptz(3), failing_since timestamptz(3), after_insertion bigint not null,
    created_at timestamptz(3) not null, actor_id text collate "C", request_id text, inbox_ids text[], primary key (workspace_id, id))`,
  'create unique index webhooks_by_id on webhooks (id)',
  `create table webhook_deliveries (
    ${id('workspace_id')}, ${id('id')}, ${id('webhook_id')}, ${id('event_id')}, event text not null, ${id('inbox_id')},
    origin text not null, status text not null, attempts jsonb not null, is_retry boolean not null, fence integer not null,
    next_at timestamptz(3), due_at timestamptz(3), created_at timestamptz(3) not null, actor_id text collate "C", request_id text,
    primary key (workspace_id, id)) with (fillfactor = 80)`,
  'create index webhook_deliveries_due on webhook_deliveries (webhook_id, is_retry, due_at) where due_at is not null',
  'create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, id)',
];
