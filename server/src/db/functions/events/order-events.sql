-- Gives up to `most` events their positions, in the order of their insertion, and returns their number and workspaces. Orders none while
-- another transaction does so, which holds the lock until its commit. What came and how it went is counted in the usage ledger with it,
-- because every event gets its position exactly once.
create or replace function order_events(most int, out ordered int, out workspaces text[])
  language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
  set enable_hashjoin = off set enable_mergejoin = off
as $$
begin
  ordered := 0;
  workspaces := '{}';
  -- The rows are looked for after the lock was taken, so none that another sequencer has ordered is found.
  if not pg_try_advisory_xact_lock(lock_key('event order', '')) then return; end if;
  with next as materialized (
    select workspace_id, id, nextval('event_positions') as position from (
      select workspace_id, id from events where position is null order by insertion limit most) oldest
  ), placed as (
    update events set position = next.position from next
      where events.workspace_id = next.workspace_id and events.id = next.id returning events.workspace_id, event, created_at
  ), counted as (
    insert into usage_ledger (workspace_id, kind, amount, at)
      select workspace_id, split_part(event, '.', 2), count(*), min(created_at) from placed
        where event = any(array['message.received', 'message.delivered', 'message.bounced', 'message.complained', 'message.rejected'])
        group by workspace_id, event, date_trunc('day', created_at at time zone 'utc')
  )
  select count(*), coalesce(array_agg(distinct workspace_id), '{}') into ordered, workspaces from placed;
end $$;
