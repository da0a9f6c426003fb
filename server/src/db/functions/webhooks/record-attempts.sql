-- Records the results of attempts for the deliveries that the caller still holds. Stores since when a webhook has had nothing but
-- failures. Returns the webhooks for which that is `failing_from` or earlier, which the caller stops.
create or replace function record_attempts(p jsonb) returns text[] language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
as $$
declare
  at timestamptz := (p->>'at')::timestamptz;
  item record; failing text[] := '{}';
begin
  for item in select * from jsonb_to_recordset(p->'items') as x(workspace_id text, id text, webhook_id text, fence int,
      attempt jsonb, status text, next_at timestamptz, counts boolean) loop
    -- Without an attempt the delivery is given back as it was, or cancelled.
    if item.attempt is null then
      update webhook_deliveries d set status = item.status, next_at = case when item.status = 'pending' then d.next_at end,
          due_at = case when item.status = 'pending' then d.next_at end
        where d.workspace_id = item.workspace_id and d.id = item.id and d.fence = item.fence and d.status = 'pending';
      continue;
    end if;
    -- What is open is found by its status: asked for by due_at, the planner would read the whole queue for each, after statistics of
    -- a moment without anything due.
    update webhook_deliveries d set attempts = d.attempts || item.attempt, status = item.status, is_retry = true,
        next_at = item.next_at, due_at = item.next_at
      where d.workspace_id = item.workspace_id and d.id = item.id and d.fence = item.fence and d.status = 'pending';
    if not found or not item.counts then continue; end if;
    if item.status = 'succeeded' then
      update webhooks set failing_since = null where id = item.webhook_id and failing_since is not null;
    else
      update webhooks set failing_since = at where id = item.webhook_id and enabled and failing_since is null;
      if exists (select from webhooks where id = item.webhook_id and enabled
          and failing_since <= (p->>'failing_from')::timestamptz) then
        failing := failing || item.webhook_id;
      end if;
    end if;
  end loop;
  return failing;
end $$;
