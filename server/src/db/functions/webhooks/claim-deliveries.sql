-- Claims deliveries that are due, for each webhook as many as there is room for, and returns them with the time at which the next ones
-- are due. `crowded` means that more are due than there was room for, and `more` that more may be due for which there is room: the statement
-- reached its limit, or what it cancelled took the room of others.
--
-- The last two settings make the plan independent of the planner's statistics at the time. A plan from when the table was small joined by
-- reading a whole queue: for a thousand deliveries of a deleted webhook, a thousand times.
create or replace function claim_deliveries(p jsonb) returns jsonb language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
  set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set enable_material = off
as $$
declare
  at timestamptz := (p->>'at')::timestamptz;
  free int := (p->>'free')::int;
  rest int := coalesce((p->>'deliveries_max')::int, 2147483647); looked int; mine int;
  next_at timestamptz; queue record; hook record; room int; batch jsonb; claimed jsonb := '[]';
  taken jsonb := '{}'; crowded boolean := false; more boolean := false;
begin
  perform set_config('synchronous_commit', 'off', true);
  -- From one lane of the queue to the next by the index, so that what waits in one costs the others nothing.
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
    select workspace_id, enabled, inbox_ids, failing_since is not null as failing into hook from webhooks where id = queue.webhook_id;
    -- What is due for a webhook that was deleted or stopped is cancelled.
    if hook.enabled is not true then
      update webhook_deliveries c set due_at = null, next_at = null, status = 'failed'
        from (select workspace_id, id from webhook_deliveries where webhook_id = queue.webhook_id
          and is_retry = queue.is_retry and due_at <= at order by due_at limit least(1000, rest) for update skip locked) off
        where c.workspace_id = off.workspace_id and c.id = off.id;
      get diagnostics looked = row_count;
      rest := rest - looked;
      more := more or looked = 1000;
      continue;
    end if;
    room := least(free, webhook_room(p, queue.webhook_id, case when queue.is_retry then 'retry' else 'fresh' end, hook.failing),
      workspace_room(p, hook.workspace_id) - coalesce((taken->>hook.workspace_id)::int, 0));
    with due as materialized (
      select workspace_id, id, event_id, origin, due_at from webhook_deliveries where webhook_id = queue.webhook_id
        and is_retry = queue.is_retry and due_at <= at order by due_at limit greatest(least(room, rest), 0) for update skip locked
    ), judged as (
      -- A sample is cancelled too: its only attempt was that of a process which died. So is the event of an inbox that the webhook is no
      -- longer for, unless somebody asked for it.
      select due.*, e as logged, coalesce(origin = 'sample' or (origin = 'log' and e.inbox_id <> all(hook.inbox_ids)), false) as is_off
        from due left join events e on e.workspace_id = due.workspace_id and e.id = due.event_id
    ), changed as (
      update webhook_deliveries d set due_at = case when not is_off then (p->>'lease_end')::timestamptz end,
          next_at = case when not is_off then d.next_at end, status = case when is_off then 'failed' else d.status end,
          fence = d.fence + (not is_off)::int
        from judged j where d.workspace_id = j.workspace_id and d.id = j.id
        returning is_off, j.due_at as was_due_at, claimed_delivery(d, j.logged) as delivery)
    select count(*), count(*) filter (where not is_off), coalesce(jsonb_agg(delivery order by was_due_at) filter (where not is_off), '[]')
      into looked, mine, batch from changed;
    rest := rest - looked;
    claimed := claimed || batch;
    free := free - mine;
    taken := taken || jsonb_build_object(hook.workspace_id, coalesce((taken->>hook.workspace_id)::int, 0) + mine);
    crowded := crowded or room - mine <= 0;
    more := more or (looked = room and mine < looked);
  end loop;
  return jsonb_build_object('next_at', next_at, 'crowded', crowded, 'more', more or rest <= 0, 'claimed', claimed);
end $$;
