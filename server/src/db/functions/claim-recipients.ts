import { byNestedLoops, plannedByIndex } from './planner.ts';

/**
 * Claims recipients that are due for another attempt, of each destination as many as there is room for, beginning with the destination
 * whose first one has waited longest. A claim is a lease: it moves `due_at` to its end. `rooms` has the room of busy destinations, and
 * `room` that of any other. Those in `failing` get `free_of_failing` together at most.
 *
 * A recipient whose sending is paused waits until its message expires or the pause ends (`resume_at`). One whose message expired meanwhile
 * is returned with the status `expired`.
 */
export const claimRecipients = /* sql */ `
create or replace function claim_recipients(p jsonb) returns table (workspace_id text, message_id text, address text,
    attempts int, expires_at timestamptz, status text, inbox_id text, "position" int, envelope_from text, is_test boolean)
  language plpgsql ${plannedByIndex} ${byNestedLoops} as $$
#variable_conflict use_column
declare
  at timestamptz := (p->>'at')::timestamptz;
  free int := (p->>'free')::int;
  free_of_failing int := (p->>'free_of_failing')::int;
  lane record; room int; claimed int; is_failing boolean;
  has_pauses boolean := exists (select from pauses);
begin
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
    select * from lanes where lanes.due_at <= at order by lanes.due_at
  loop
    exit when free <= 0;
    room := least(free, coalesce((p->'rooms'->>lane.destination)::int, (p->>'room')::int));
    is_failing := p->'failing' ? lane.destination;
    if is_failing then room := least(room, free_of_failing); end if;
    continue when room <= 0;
    if has_pauses then
      update message_recipients r set due_at = r.expires_at, resume_at = coalesce(r.resume_at, r.due_at) from (
        select d.workspace_id, d.message_id, d.address, d.inbox_id from message_recipients d
          where d.due_at is not null and lower(split_part(d.address, '@', -1)) = lane.destination and d.due_at <= at
            and d.status in ('queued', 'deferred') and d.expires_at > at
          order by d.due_at limit 1000 for update skip locked) d
        where r.workspace_id = d.workspace_id and r.message_id = d.message_id and r.address = d.address
          and pause_of(d.workspace_id, d.inbox_id, (select m.actor_id from messages m
            where m.workspace_id = d.workspace_id and m.id = d.message_id)) is not null;
    end if;
    return query
      with due as (
        select d.workspace_id, d.message_id, d.address, d.resume_at is not null and d.expires_at <= at as expired from message_recipients d
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
          case when due.expired then 'expired' else r.status end,
          r.inbox_id, r.position, i.address, w.is_test;
    get diagnostics claimed = row_count;
    free := free - claimed;
    if is_failing then free_of_failing := free_of_failing - claimed; end if;
  end loop;
end $$`;
