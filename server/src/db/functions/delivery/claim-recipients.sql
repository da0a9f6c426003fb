-- Claims recipients that are due for another attempt, of each destination as many as there is room for, beginning with the destination
-- whose first one has waited longest. A claim is a lease: it moves `due_at` to its end. `rooms` has the room of busy destinations, and
-- `room` that of any other. Those in `failing` get `free_of_failing` together at most.
--
-- A recipient whose sending is paused waits until its message expires or the pause ends (`resume_at`). One whose message expired
-- meanwhile is returned with the status `expired`. A row with the status `next` and no recipient says in `expires_at` when more may be
-- due: at `at` if there was more than one look takes. Those that are due and found no room do not count.
create or replace function claim_recipients(p jsonb) returns table (workspace_id text, message_id text, address text,
    attempts int, expires_at timestamptz, status text, inbox_id text, "position" int, envelope_from text, is_test boolean)
  language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
  set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  at timestamptz := (p->>'at')::timestamptz;
  free int := (p->>'free')::int;
  free_of_failing int := (p->>'free_of_failing')::int;
  lane record; room int; claimed int; is_failing boolean;
  -- So many begin to wait for the end of a pause in one look, and at most as many more, so that it stays short whatever is due.
  waiting_max constant int := 2000;
  has_pauses boolean; looked int; waiting int; may_wait int := waiting_max; next_at timestamptz;
begin
  perform lock_waiting(false);
  has_pauses := exists (select from pauses);
  -- From one destination to the next by the index, so that what waits for one costs the others nothing.
  for lane in
    with recursive lanes as (
      (select lower(split_part(r.address, '@', -1)) as destination, r.due_at from message_recipients r
        where r.due_at is not null order by lower(split_part(r.address, '@', -1)), r.due_at limit 1)
      union all
      select following.* from lanes l cross join lateral (
        select lower(split_part(f.address, '@', -1)), f.due_at from message_recipients f
          where f.due_at is not null and lower(split_part(f.address, '@', -1)) > l.destination
          order by lower(split_part(f.address, '@', -1)), f.due_at limit 1) following)
    select * from lanes order by lanes.due_at
  loop
    exit when free <= 0;
    if lane.due_at > at then
      next_at := coalesce(next_at, lane.due_at);
      exit;
    end if;
    room := least(free, coalesce((p->'rooms'->>lane.destination)::int, (p->>'room')::int));
    is_failing := p->'failing' ? lane.destination;
    if is_failing then room := least(room, free_of_failing); end if;
    continue when room <= 0;
    if has_pauses then
      -- Most destinations have nothing that waits, so that few are looked at first.
      looked := room;
      loop
        with due as materialized (
          select d.workspace_id, d.message_id, d.address, d.status, d.expires_at from message_recipients d
            where d.due_at is not null and lower(split_part(d.address, '@', -1)) = lane.destination and d.due_at <= at
            order by d.due_at limit looked for update skip locked),
        begun as (
          update message_recipients r set due_at = r.expires_at, resume_at = coalesce(r.resume_at, r.due_at) from due
            where r.workspace_id = due.workspace_id and r.message_id = due.message_id and r.address = due.address
              and due.status in ('queued', 'deferred') and due.expires_at > at
              and pause_of_message(due.workspace_id, due.message_id) is not null
            returning 1)
        select count(*) into waiting from begun;
        may_wait := may_wait - waiting;
        exit when waiting = 0 or looked > room or may_wait <= 0;
        looked := greatest(room + 1, may_wait);
      end loop;
      if waiting >= looked or may_wait <= 0 then next_at := at; end if;
      exit when may_wait <= -waiting_max;
      -- Those further down were not looked at.
      room := least(room, looked - waiting);
      continue when room <= 0;
    end if;
    return query
      with due as (
        select d.workspace_id, d.message_id, d.address, d.expires_at <= at and (d.resume_at is not null or has_pauses
            and pause_of_message(d.workspace_id, d.message_id) is not null) as expired
          from message_recipients d
          join inboxes live on live.workspace_id = d.workspace_id and live.id = d.inbox_id
          where d.due_at is not null and lower(split_part(d.address, '@', -1)) = lane.destination and d.due_at <= at
            and live.deleted_at is null
          order by d.due_at limit room for update of d skip locked)
      update message_recipients r set due_at = (p->>'lease_end')::timestamptz, resume_at = null,
          -- A recipient that was handed over is not tried again, so its number of attempts does not change.
          attempts = r.attempts + (r.status <> 'sending')::int
        from due, inboxes i, workspaces w
        where r.workspace_id = due.workspace_id and r.message_id = due.message_id and r.address = due.address
          and i.workspace_id = r.workspace_id and i.id = r.inbox_id and i.deleted_at is null and w.id = r.workspace_id
        returning r.workspace_id, r.message_id, r.address, r.attempts, r.expires_at::timestamptz,
          case when due.expired and r.status in ('queued', 'deferred') then 'expired' else r.status end,
          r.inbox_id, r.position, i.address, w.is_test;
    get diagnostics claimed = row_count;
    free := free - claimed;
    if is_failing then free_of_failing := free_of_failing - claimed; end if;
  end loop;
  if next_at is not null then
    return query select null, null, null, null::int, next_at, 'next', null, null::int, null, null::boolean;
  end if;
end $$;
