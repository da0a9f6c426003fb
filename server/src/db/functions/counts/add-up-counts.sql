-- Adds up what was counted for caps of an hour and a day since a time, so that a slot has one row of each subject and the latest messages
-- have rows of their own.
create or replace function add_up_counts(since timestamptz) returns void language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
  set enable_hashjoin = off set enable_mergejoin = off
as $$
begin
  with capped as materialized (select q.workspace_id as ws, q.subject_id as subject from policies q where q.lines ?| '{per_hour,per_day}'),
  gone as (
    delete from send_counts c using capped
      where c.workspace_id = ws and c.subject = capped.subject and c.slot >= since and c.message_id <> ''
      returning c.workspace_id, c.subject, c.slot, c.amount)
  insert into send_counts (workspace_id, subject, slot, message_id, amount)
    select workspace_id, subject, slot, '', sum(amount) from gone group by 1, 2, 3 order by 1, 2, 3
    on conflict (workspace_id, subject, slot, message_id) do update set amount = send_counts.amount + excluded.amount;
end $$;
