-- An earlier version of it had no `followed`.
drop function if exists order_events(int);
-- Gives up to `most` events their positions, in the order of their insertion, and returns their number and workspaces, and whether one of
-- these has a webhook that follows the log. Orders none while another transaction does so, which holds the lock until its commit. What came
-- and how it went is counted in the usage ledger with it, because every event gets its position exactly once.
create or replace function order_events(most int, out ordered int, out workspaces text[], out followed boolean)
  language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
as $$
begin
  ordered := 0;
  workspaces := '{}';
  followed := false;
  -- The rows are looked for after the lock was taken, so none that another sequencer has ordered is found.
  if not pg_try_advisory_xact_lock(lock_key('event order', '')) then return; end if;
  -- Nobody else updates events, so they stay where they are. A plan from before the first statistics would look for each by its workspace
  -- alone.
  with next as materialized (
    select place, nextval('event_positions') as position from (
      select ctid as place from events where position is null order by insertion limit most) oldest
  ), placed as (
    update events set position = next.position from next where events.ctid = next.place returning workspace_id, event, created_at
  ), counted as (
    insert into usage_ledger (workspace_id, kind, amount, at)
      select workspace_id, split_part(event, '.', 2), count(*), min(created_at) from placed
        where event = any(array['message.received', 'message.delivered', 'message.bounced', 'message.complained', 'message.rejected'])
        group by workspace_id, event, date_trunc('day', created_at at time zone 'utc')
  )
  select count(*), coalesce(array_agg(distinct workspace_id), '{}'),
      -- "offset 0" keeps this a look-up by key. A webhook that was there before an event is seen with it.
      coalesce(bool_or(exists (select from webhooks w where w.workspace_id = placed.workspace_id and w.enabled offset 0)), false)
    into ordered, workspaces, followed from placed;
end $$;
