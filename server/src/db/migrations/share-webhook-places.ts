import { Migration } from '@mikro-orm/migrations';

/**
 * Gives each workspace a share of the posts that a process may have under way: fifty webhooks of one workspace that answer slowly
 * would otherwise take the places of everybody else's. It may have `workspace_share` of what is free and its own together,
 * of which `busy_workspaces` tells how many there are. One statement makes or claims about `deliveries_max`, so that it is short
 * for everybody else, however many webhooks want an event. A process that does not say so has no shares, and no such limit.
 */
export class ShareWebhookPlaces extends Migration {
  override up(): void {
    for (const statement of [workspaceRoom, fanOutEvents, claimDeliveries, ...claimByIndex])
      this.addSql(statement);
  }
}

const workspaceRoom = `
create function workspace_room(p jsonb, workspace text) returns int language sql immutable as $$
  select ceil(coalesce((p->>'workspace_share')::float, 1) * ((p->>'free')::int + own) - own)::int
    from coalesce((p->'busy_workspaces'->>workspace)::int, 0) own
$$`;

/* As before, but for the share, the limit, and the inboxes of a webhook: `fits` is what has room with its webhook and its workspace. */
export const fanOutEvents = `
create or replace function fan_out_events(p jsonb) returns jsonb language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  at timestamptz := (p->>'at')::timestamptz;
  since bigint; reached bigint; answer jsonb;
begin
  select position into since from event_followers where name = 'webhooks' for update skip locked;
  if not found then return null; end if;
  perform set_config('synchronous_commit', 'off', true);
  with seen as materialized (
    select * from events where position > since order by position limit (p->>'most')::int
  ), hooks as materialized (
    select w.workspace_id, w.id, w.events, w.inbox_ids, w.after_insertion,
        webhook_room(p, w.id, 'fresh', w.failing_since is not null) as room, workspace_room(p, w.workspace_id) as share
      from webhooks w where w.workspace_id = any(array(select distinct workspace_id from seen)) and w.enabled for key share
  ), next as materialized (
    select * from seen where position <= (select max(position) from (
      select position, sum(count) over (order by position) - count as before
        from (select position, (select count(*) from hooks where hooks.workspace_id = seen.workspace_id) as count from seen) each
      ) summed where before < coalesce((p->>'deliveries_max')::int, 'infinity'::float))
  ), wanted as (
    select next.*, hooks.id as webhook_id, hooks.room, hooks.share,
        row_number() over (partition by hooks.id order by next.position) as place
      from hooks join next on next.workspace_id = hooks.workspace_id and next.event = any(hooks.events)
        and (hooks.inbox_ids is null or next.inbox_id = any(hooks.inbox_ids))
        and next.insertion > hooks.after_insertion
      where exists (select from inboxes i
        where i.workspace_id = next.workspace_id and i.id = next.inbox_id and i.deleted_at is null offset 0)
  ), shared as (
    select *, place <= room and count(*) filter (where place <= room)
        over (partition by workspace_id order by position, webhook_id) <= share as fits from wanted
  ), made as (
    insert into webhook_deliveries (workspace_id, id, webhook_id, event_id, event, inbox_id, origin, status, attempts,
        is_retry, claims, next_at, due_at, created_at)
      select workspace_id, 'dlv_' || substr(id, 5, 20) || right(webhook_id, 6), webhook_id, id, event, inbox_id, 'log',
          'pending', '[]', false, is_mine::int, at, case when is_mine then (p->>'lease_end')::timestamptz else at end, at
        from (select *, fits and count(*) filter (where fits)
            over (order by position, webhook_id) <= (p->>'free')::int as is_mine from shared) each
      on conflict do nothing
      returning workspace_id, id, webhook_id, event_id, claims
  )
  select (select max(position) from next),
      jsonb_build_object('looked_at', (select count(*) from next), 'seen', (select count(*) from seen), 'waiting', count(*) filter (where claims = 0),
        'claimed', coalesce(jsonb_agg(jsonb_build_object('workspace_id', made.workspace_id, 'id', made.id,
          'webhook_id', made.webhook_id, 'event_id', made.event_id, 'origin', 'log', 'attempted', 0, 'is_retry', false,
          'claims', 1, 'created_at', at, 'event', to_jsonb(next)) order by next.position) filter (where claims = 1), '[]'))
    into reached, answer
    from made join next on next.workspace_id = made.workspace_id and next.id = made.event_id;
  if reached is not null then update event_followers set position = reached where name = 'webhooks'; end if;
  return answer;
end $$`;

/* As before, but for the share and the limit. */
const claimDeliveries = `
create or replace function claim_deliveries(p jsonb) returns jsonb language plpgsql set enable_seqscan = off as $$
declare
  at timestamptz := (p->>'at')::timestamptz;
  free int := (p->>'free')::int;
  rest int := coalesce((p->>'deliveries_max')::int, 2147483647); called_off int;
  next_at timestamptz; queue record; hook record; d webhook_deliveries; e events; room int; claimed jsonb[] := '{}';
  taken jsonb := '{}'; crowded boolean := false;
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
    exit when free <= 0 or rest <= 0;
    select workspace_id, enabled, failing_since is not null as failing into hook from webhooks where id = queue.webhook_id;
    if hook.enabled is not true then
      update webhook_deliveries c set due_at = null, next_at = null, status = 'failed'
        from (select workspace_id, id from webhook_deliveries where webhook_id = queue.webhook_id
          and is_retry = queue.is_retry and due_at <= at order by due_at limit least(1000, rest) for update skip locked) off
        where c.workspace_id = off.workspace_id and c.id = off.id;
      get diagnostics called_off = row_count;
      rest := rest - called_off;
      continue;
    end if;
    room := least(free, webhook_room(p, queue.webhook_id, case when queue.is_retry then 'retry' else 'fresh' end, hook.failing),
      workspace_room(p, hook.workspace_id) - coalesce((taken->>hook.workspace_id)::int, 0));
    for d in select * from webhook_deliveries where webhook_id = queue.webhook_id and is_retry = queue.is_retry
        and due_at <= at order by due_at limit greatest(least(room, rest), 0) for update skip locked loop
      rest := rest - 1;
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
      taken := taken || jsonb_build_object(hook.workspace_id, coalesce((taken->>hook.workspace_id)::int, 0) + 1);
    end loop;
    crowded := crowded or room <= 0;
  end loop;
  return jsonb_build_object('next_at', next_at, 'crowded', crowded, 'more', rest <= 0, 'claimed', claimed);
end $$`;

/** Replacing a function takes its settings away. */
const claimByIndex = ['bitmapscan', 'hashjoin', 'mergejoin', 'material'].map(
  (other) => `alter function claim_deliveries(jsonb) set enable_${other} = off`,
);
