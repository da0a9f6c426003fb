-- Moves the follower of the log forward by up to `most` events of workspaces with webhooks, past those of others, and creates the
-- deliveries of those events in the same transaction. Claims as many for the caller as there is room for; `waiting` counts the others.
-- Returns null while another process does it.
create or replace function fan_out_events(p jsonb) returns jsonb language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
as $$
declare
  at timestamptz := (p->>'at')::timestamptz;
  since bigint; reached bigint; answer jsonb;
begin
  select position into since from event_followers where name = p->>'follower' for update skip locked;
  if not found then return null; end if;
  -- A crash of the database may undo what was done last, and then the cursor is where it was: nobody waits for the disk.
  perform set_config('synchronous_commit', 'off', true);
  with seen as materialized (
    -- "offset 0" keeps this a look-up by key for each event, instead of a join.
    select * from events where position > since
        and exists (select from webhooks w where w.workspace_id = events.workspace_id and w.enabled offset 0)
      order by position limit (p->>'most')::int
  ), hooks as materialized (
    -- The deletion of a webhook waits for deliveries that are being made, so that it removes them too.
    select w.workspace_id, w.id, w.events, w.inbox_ids, w.after_insertion,
        webhook_room(p, w.id, 'fresh', w.failing_since is not null) as room, workspace_room(p, w.workspace_id) as share
      from webhooks w where w.workspace_id = any(array(select distinct workspace_id from seen)) and w.enabled for key share
  ), next as materialized (
    -- About deliveries_max at a time, however many webhooks want an event: one statement is short for everybody else.
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
    -- What has room with its webhook and its workspace.
    select *, place <= room and count(*) filter (where place <= room)
        over (partition by workspace_id order by position, webhook_id) <= share as fits from wanted
  ), made as (
    -- The id is made of the times and counters of its event and the random end of its webhook, which no other delivery can have.
    insert into webhook_deliveries (workspace_id, id, webhook_id, event_id, event, inbox_id, origin, status, attempts,
        is_retry, fence, next_at, due_at, created_at)
      select workspace_id, 'dlv_' || substr(id, 5, 20) || right(webhook_id, 6), webhook_id, id, event, inbox_id, 'log',
          'pending', '[]', false, is_mine::int, at, case when is_mine then (p->>'lease_end')::timestamptz else at end, at
        from (select *, fits and count(*) filter (where fits)
            over (order by position, webhook_id) <= (p->>'free')::int as is_mine from shared) each
      on conflict do nothing
      returning workspace_id, id, webhook_id, event_id, fence
  )
  select case when (select count(*) from next) = (p->>'most')::int or (select count(*) from next) < (select count(*) from seen)
        then (select max(position) from next) else (select max(position) from events) end,
      jsonb_build_object('looked_at', (select count(*) from next), 'seen', (select count(*) from seen), 'waiting', count(*) filter (where fence = 0),
        'claimed', coalesce(jsonb_agg(jsonb_build_object('workspace_id', made.workspace_id, 'id', made.id,
          'webhook_id', made.webhook_id, 'event_id', made.event_id, 'origin', 'log', 'attempted', 0, 'is_retry', false,
          'fence', 1, 'created_at', at, 'event', to_jsonb(next)) order by next.position) filter (where fence = 1), '[]'))
    into reached, answer
    from made join next on next.workspace_id = made.workspace_id and next.id = made.event_id;
  if reached > since then update event_followers set position = reached where name = p->>'follower'; end if;
  return answer;
end $$;
