import { Migration } from '@mikro-orm/migrations';

/**
 * Webhooks, and their deliveries, which are log and queue in one. `due_at` is when a delivery has to be looked at: at its time
 * (`next_at`), or when the lease of who works on it ends; null once nothing is left to do. The queue has two lanes for each
 * webhook, first attempts and retries, so that neither waits for the other. `claims` is the fence between who claimed a delivery
 * and who took it over. `after_insertion` is the newest event that there was before the webhook.
 */
export class Webhooks extends Migration {
  override up(): void {
    for (const statement of [
      ...tables,
      roomOf,
      claimedDelivery,
      fanOutEvents,
      claimDeliveries,
      recordAttempts,
    ])
      this.addSql(statement);
  }
}

const id = (name: string) => `${name} text collate "C" not null`;
const maker = 'api_key_id text collate "C", request_id text';

const tables = [
  `create table webhooks (
    ${id('workspace_id')}, ${id('id')}, url text not null, events text[] not null, enabled boolean not null,
    secret text not null, previous_secret text, previous_secret_until timestamptz(3), failing_since timestamptz(3),
    after_insertion bigint not null, created_at timestamptz(3) not null, ${maker}, primary key (workspace_id, id))`,
  'create unique index webhooks_by_id on webhooks (id)',
  `create table webhook_deliveries (
    ${id('workspace_id')}, ${id('id')}, ${id('webhook_id')}, ${id('event_id')}, event text not null, ${id('inbox_id')},
    origin text not null, status text not null, attempts jsonb not null, is_retry boolean not null, claims integer not null,
    next_at timestamptz(3), due_at timestamptz(3), created_at timestamptz(3) not null, ${maker},
    primary key (workspace_id, id)) with (fillfactor = 80)`,
  'create index webhook_deliveries_of_webhook on webhook_deliveries (webhook_id, id)',
  `create index webhook_deliveries_due on webhook_deliveries (webhook_id, is_retry, due_at) where due_at is not null`,
  `create table event_followers (name text primary key, position bigint not null)`,
  `insert into event_followers select 'webhooks', coalesce(max(position), 0) from events`,
  'create index events_by_position on events (position) where position is not null',
];

/** How many more deliveries of one lane this process may take on: a webhook that fails gets few at a time. */
const roomOf = `
create function webhook_room(p jsonb, webhook text, lane text, failing boolean) returns int language sql immutable as $$
  select case when failing then (p->>'failing_max')::int else (p->>(lane || '_max'))::int end
    - coalesce((p->'busy'->webhook->>lane)::int, 0)
$$`;

const claimedDelivery = `
create function claimed_delivery(d webhook_deliveries, e events) returns jsonb language sql immutable as $$
  select jsonb_build_object('workspace_id', d.workspace_id, 'id', d.id, 'webhook_id', d.webhook_id, 'event_id', d.event_id,
    'origin', d.origin, 'attempted', jsonb_array_length(d.attempts), 'is_retry', d.is_retry, 'claims', d.claims,
    'created_at', d.created_at, 'event', case when e.id is not null then to_jsonb(e) end)
$$`;

/*
 * Moves the follower on by up to `most` events, and makes their deliveries in the same transaction. As many as there is room for
 * are the caller's at once; `waiting` counts the others. Null while another process does it. A crash of the database may undo
 * what was done last, and then the cursor stands where it was; so nobody waits for the disk. The id of a delivery is made of the
 * times and counters of its event and the random end of its webhook, which no other delivery can have. The deletion of a webhook
 * waits for deliveries that are being made, so that it removes them too.
 */
const fanOutEvents = `
create function fan_out_events(p jsonb) returns jsonb language plpgsql set enable_seqscan = off as $$
declare
  at timestamptz := (p->>'at')::timestamptz;
  free int := (p->>'free')::int;
  looked_at int := 0; waiting int := 0; reached bigint; next events; hook record; made webhook_deliveries;
  taken jsonb := '{}'; claimed jsonb[] := '{}'; is_mine boolean;
begin
  select position into reached from event_followers where name = 'webhooks' for update skip locked;
  if not found then return null; end if;
  perform set_config('synchronous_commit', 'off', true);
  for next in select * from events where position > reached order by position limit (p->>'most')::int loop
    looked_at := looked_at + 1;
    reached := next.position;
    for hook in select w.id, w.failing_since is not null as failing from webhooks w
        where w.workspace_id = next.workspace_id and w.enabled and next.event = any(w.events)
          and w.after_insertion < next.insertion and exists (select from inboxes i
            where i.workspace_id = next.workspace_id and i.id = next.inbox_id and i.deleted_at is null)
        for key share of w loop
      is_mine := free > 0 and
        webhook_room(p, hook.id, 'fresh', hook.failing) > coalesce((taken->>hook.id)::int, 0);
      insert into webhook_deliveries (workspace_id, id, webhook_id, event_id, event, inbox_id, origin, status, attempts,
          is_retry, claims, next_at, due_at, created_at)
        values (next.workspace_id, 'dlv_' || substr(next.id, 5, 20) || right(hook.id, 6), hook.id, next.id, next.event,
          next.inbox_id, 'log', 'pending', '[]', false, is_mine::int, at,
          case when is_mine then (p->>'lease_end')::timestamptz else at end, at)
        on conflict do nothing returning * into made;
      if not found then continue; end if;
      if is_mine then
        free := free - 1;
        taken := taken || jsonb_build_object(hook.id, coalesce((taken->>hook.id)::int, 0) + 1);
        claimed := claimed || claimed_delivery(made, next);
      else
        waiting := waiting + 1;
      end if;
    end loop;
  end loop;
  if looked_at > 0 then update event_followers set position = reached where name = 'webhooks'; end if;
  return jsonb_build_object('looked_at', looked_at, 'waiting', waiting, 'claimed', claimed);
end $$`;

/*
 * Gives the caller deliveries that are due, of each webhook as many as there is room for, and tells when the next ones are. It
 * jumps from one lane of the queue to the next by the index, so that what waits in one costs the others nothing; `crowded` says
 * that more is due than there was room for. What is due for a webhook that was deleted or stopped is called off, and so is
 * a sample, whose only attempt was that of a process which died.
 */
const claimDeliveries = `
create function claim_deliveries(p jsonb) returns jsonb language plpgsql set enable_seqscan = off as $$
declare
  at timestamptz := (p->>'at')::timestamptz;
  free int := (p->>'free')::int;
  next_at timestamptz; queue record; hook record; d webhook_deliveries; e events; room int; claimed jsonb[] := '{}';
  crowded boolean := false;
begin
  perform set_config('synchronous_commit', 'off', true);
  for queue in
    with recursive queues as (
      (select webhook_id, is_retry, due_at from webhook_deliveries where due_at is not null
        order by webhook_id, is_retry, due_at limit 1)
      union all
      select following.* from queues q cross join lateral (
        select f.webhook_id, f.is_retry, f.due_at from webhook_deliveries f
          where f.due_at is not null and (f.webhook_id, f.is_retry) > (q.webhook_id, q.is_retry)
          order by f.webhook_id, f.is_retry, f.due_at limit 1) following)
    select * from queues order by due_at > at, random()
  loop
    if queue.due_at > at then
      next_at := least(next_at, queue.due_at);
      continue;
    end if;
    crowded := crowded or free <= 0;
    exit when free <= 0;
    select enabled, failing_since is not null as failing into hook from webhooks where id = queue.webhook_id;
    if hook.enabled is not true then
      update webhook_deliveries c set due_at = null, next_at = null, status = 'failed'
        from (select workspace_id, id from webhook_deliveries where webhook_id = queue.webhook_id
          and is_retry = queue.is_retry and due_at <= at order by due_at limit 1000 for update skip locked) off
        where c.workspace_id = off.workspace_id and c.id = off.id;
      continue;
    end if;
    room := least(free, webhook_room(p, queue.webhook_id, case when queue.is_retry then 'retry' else 'fresh' end, hook.failing));
    for d in select * from webhook_deliveries where webhook_id = queue.webhook_id and is_retry = queue.is_retry
        and due_at <= at order by due_at limit greatest(room, 0) for update skip locked loop
      if d.origin = 'sample' then
        update webhook_deliveries set due_at = null, next_at = null, status = 'failed'
          where workspace_id = d.workspace_id and id = d.id;
        continue;
      end if;
      update webhook_deliveries set due_at = (p->>'lease_end')::timestamptz, claims = d.claims + 1
        where workspace_id = d.workspace_id and id = d.id;
      d.claims := d.claims + 1;
      select * into e from events where workspace_id = d.workspace_id and id = d.event_id;
      claimed := claimed || claimed_delivery(d, e);
      free := free - 1;
      room := room - 1;
    end loop;
    crowded := crowded or room <= 0;
  end loop;
  return jsonb_build_object('next_at', next_at, 'crowded', crowded, 'claimed', claimed);
end $$`;

/*
 * Notes what came of attempts, of those that are still the caller's: where `attempt` is null the delivery is given back as it
 * was, or called off. Remembers since when a webhook has nothing but failures, and stops it after `failing_from`. Answers the
 * stopped ones. What is open is pending: asked for by `due_at`, after statistics of a moment without anything due the planner
 * would read the whole queue for each.
 */
const recordAttempts = `
create function record_attempts(p jsonb) returns text[] language plpgsql set enable_seqscan = off as $$
declare
  at timestamptz := (p->>'at')::timestamptz;
  item record; stopped text[] := '{}';
begin
  for item in select * from jsonb_to_recordset(p->'items') as x(workspace_id text, id text, webhook_id text, claims int,
      attempt jsonb, status text, next_at timestamptz, counts boolean) loop
    if item.attempt is null then
      update webhook_deliveries d set status = item.status, next_at = case when item.status = 'pending' then d.next_at end,
          due_at = case when item.status = 'pending' then d.next_at end
        where d.workspace_id = item.workspace_id and d.id = item.id and d.claims = item.claims and d.status = 'pending';
      continue;
    end if;
    update webhook_deliveries d set attempts = d.attempts || item.attempt, status = item.status, is_retry = true,
        next_at = item.next_at, due_at = item.next_at
      where d.workspace_id = item.workspace_id and d.id = item.id and d.claims = item.claims and d.status = 'pending';
    if not found or not item.counts then continue; end if;
    if item.status = 'succeeded' then
      update webhooks set failing_since = null where id = item.webhook_id and failing_since is not null;
    else
      update webhooks set failing_since = coalesce(failing_since, at),
          enabled = failing_since is null or failing_since > (p->>'failing_from')::timestamptz
        where id = item.webhook_id and enabled
          and (failing_since is null or failing_since <= (p->>'failing_from')::timestamptz);
      if found and not (select enabled from webhooks where id = item.webhook_id) then
        stopped := stopped || item.webhook_id;
      end if;
    end if;
  end loop;
  return stopped;
end $$`;
