import { Migration } from '@mikro-orm/migrations';

/**
 * The functions that give events their positions and make deliveries of them, each with one statement for a whole batch, since a
 * statement for each row costs twice as much. Plans that are made while a table is small must not read it whole when it is large:
 * rows are looked up by their keys, which nested loops do, and `offset 0` keeps a look-up from becoming a join.
 */
export class FollowInBatches extends Migration {
  override up(): void {
    for (const statement of [orderEvents, fanOutEvents]) this.addSql(statement);
  }
}

const plannedOnce = 'set plan_cache_mode = force_generic_plan set enable_seqscan = off';
const nestedLoops = 'set enable_hashjoin = off set enable_mergejoin = off';

/*
 * Gives up to so many events their positions, in the order of their insertion, and answers how many and of which workspaces; none
 * also while another transaction does it, which holds the lock until its commit. The rows are looked for after the lock was taken,
 * so none that another sequencer has ordered is found.
 */
const orderEvents = `
create or replace function order_events(most int, out ordered int, out workspaces text[])
  language plpgsql ${plannedOnce} ${nestedLoops} as $$
begin
  ordered := 0;
  workspaces := '{}';
  if not pg_try_advisory_xact_lock(hashtextextended('sequence events', 0)) then return; end if;
  with next as materialized (
    select workspace_id, id, nextval('event_positions') as position from (
      select workspace_id, id from events where position is null order by insertion limit most) oldest
  ), placed as (
    update events set position = next.position from next
      where events.workspace_id = next.workspace_id and events.id = next.id returning events.workspace_id
  )
  select count(*), coalesce(array_agg(distinct workspace_id), '{}') into ordered, workspaces from placed;
end $$`;

/*
 * Moves the follower on by up to `most` events, and makes their deliveries in the same transaction. As many as there is room for
 * are the caller's at once; `waiting` counts the others. Null while another process does it. A crash of the database may undo
 * what was done last, and then the cursor stands where it was; so nobody waits for the disk. The id of a delivery is made of the
 * times and counters of its event and the random end of its webhook, which no other delivery can have. The deletion of a webhook
 * waits for deliveries that are being made, so that it removes them too.
 */
const fanOutEvents = `
create or replace function fan_out_events(p jsonb) returns jsonb language plpgsql ${plannedOnce} as $$
declare
  at timestamptz := (p->>'at')::timestamptz;
  since bigint; reached bigint; answer jsonb;
begin
  select position into since from event_followers where name = 'webhooks' for update skip locked;
  if not found then return null; end if;
  perform set_config('synchronous_commit', 'off', true);
  with next as materialized (
    select * from events where position > since order by position limit (p->>'most')::int
  ), hooks as materialized (
    select w.workspace_id, w.id, w.events, w.after_insertion,
        webhook_room(p, w.id, 'fresh', w.failing_since is not null) as room
      from webhooks w where w.workspace_id = any(array(select distinct workspace_id from next)) and w.enabled for key share
  ), wanted as (
    select next.*, hooks.id as webhook_id, hooks.room,
        row_number() over (partition by hooks.id order by next.position) as place
      from hooks join next on next.workspace_id = hooks.workspace_id and next.event = any(hooks.events)
        and next.insertion > hooks.after_insertion
      where exists (select from inboxes i
        where i.workspace_id = next.workspace_id and i.id = next.inbox_id and i.deleted_at is null offset 0)
  ), made as (
    insert into webhook_deliveries (workspace_id, id, webhook_id, event_id, event, inbox_id, origin, status, attempts,
        is_retry, claims, next_at, due_at, created_at)
      select workspace_id, 'dlv_' || substr(id, 5, 20) || right(webhook_id, 6), webhook_id, id, event, inbox_id, 'log',
          'pending', '[]', false, is_mine::int, at, case when is_mine then (p->>'lease_end')::timestamptz else at end, at
        from (select *, place <= room and count(*) filter (where place <= room)
            over (order by position, webhook_id) <= (p->>'free')::int as is_mine from wanted) each
      on conflict do nothing
      returning workspace_id, id, webhook_id, event_id, claims
  )
  select (select max(position) from next),
      jsonb_build_object('looked_at', (select count(*) from next), 'waiting', count(*) filter (where claims = 0),
        'claimed', coalesce(jsonb_agg(jsonb_build_object('workspace_id', made.workspace_id, 'id', made.id,
          'webhook_id', made.webhook_id, 'event_id', made.event_id, 'origin', 'log', 'attempted', 0, 'is_retry', false,
          'claims', 1, 'created_at', at, 'event', to_jsonb(next)) order by next.position) filter (where claims = 1), '[]'))
    into reached, answer
    from made join next on next.workspace_id = made.workspace_id and next.id = made.event_id;
  if reached is not null then update event_followers set position = reached where name = 'webhooks'; end if;
  return answer;
end $$`;
