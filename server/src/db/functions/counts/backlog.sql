-- Returns what waits in the whole server: of each part the number of its rows, at most `most`, and the oldest one, by its time or by the id
-- of its message. `due_at` may be in the future. It is for metrics, so it takes milliseconds whatever waits: it reads small tables and
-- partial indexes in the order of their keys, and looks at the first row of each lane.
create or replace function backlog(most int)
  returns table (part text, kind text, waiting int, bytes bigint, since timestamptz, since_id text)
  language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
  set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set enable_material = off
as $$
#variable_conflict use_column
declare
  -- A lane of webhooks or a workspace beyond these does not count for the age of what is oldest.
  lanes_max constant int := 100;
  followed bigint := (select position from event_followers where name = 'webhooks');
begin
  return query select 'delivery', own.status,
      (select count(*)::int from (select from message_recipients r where r.due_at is not null and r.status = own.status
        order by r.due_at limit most) counted), null::bigint,
      (select r.due_at::timestamptz from message_recipients r where r.due_at is not null and r.status = own.status
        order by r.due_at limit 1), null::text
    from unnest(array['queued', 'sending', 'deferred']) own(status);
  return query with counted as materialized (
      select is_retry from webhook_deliveries where due_at is not null order by webhook_id, is_retry, due_at limit most)
    select 'webhookLane', lane, (select count(*)::int from counted where is_retry = (lane = 'retry')), null::bigint,
      null::timestamptz, null::text from unnest(array['first', 'retry']) own(lane);
  -- From one lane of the queue to the next by the index, as `claim_deliveries` does it.
  return query with recursive queues as (
      (select webhook_id, is_retry, due_at from webhook_deliveries where due_at is not null
        order by webhook_id, is_retry, due_at limit 1)
      union all
      select following.* from queues q cross join lateral (
        select f.webhook_id, f.is_retry, f.due_at from webhook_deliveries f
          where f.due_at is not null and (f.webhook_id, f.is_retry) > (q.webhook_id, q.is_retry)
          order by f.webhook_id, f.is_retry, f.due_at limit 1) following),
    first as materialized (
      select case when w.failing_since is null then 'working' else 'failing' end as state, q.due_at
        from (select * from queues limit lanes_max) q join webhooks w on w.id = q.webhook_id where w.enabled)
    select 'webhook', own.state, null::int, null::bigint,
      (select min(first.due_at)::timestamptz from first where first.state = own.state), null::text
      from unnest(array['working', 'failing']) own(state);
  return query select 'event', 'order',
      (select count(*)::int from (select from events where position is null order by insertion limit most) counted), null::bigint,
      (select created_at::timestamptz from events where position is null order by insertion limit 1), null::text;
  return query select 'event', 'webhooks',
      (select count(*)::int from (select from events where position > followed order by position limit most) counted), null::bigint,
      (select created_at::timestamptz from events where position > followed order by position limit 1), null::text;
  return query select 'spool', null::text, count(*)::int, coalesce(sum(size_bytes), 0)::bigint, min(at)::timestamptz, null::text
    from (select at, size_bytes from spooled_mail order by id limit most) counted;
  return query select 'unparsed', null::text, count(*)::int, null::bigint, null::timestamptz, null::text
    from (select from unparsed_messages order by workspace_id, message_id limit most) counted;
  return query with recursive owners as (
      (select workspace_id, message_id from search_pending order by workspace_id, message_id limit 1)
      union all
      select following.* from owners o cross join lateral (
        select p.workspace_id, p.message_id from search_pending p where p.workspace_id > o.workspace_id
          order by p.workspace_id, p.message_id limit 1) following)
    select 'search', null::text,
      (select count(*)::int from (select from search_pending order by workspace_id, message_id limit most) counted), null::bigint,
      null::timestamptz, (select min(message_id) from (select message_id from owners limit lanes_max) first);
  return query select 'searchBackfill', null::text, count(*)::int, null::bigint, null::timestamptz, null::text
    from (select from search_workspaces where backfill_before is not null order by backfill_before limit most) counted;
  return query select 'files', null::text, count(*)::int, null::bigint, null::timestamptz, null::text from (
    select from attachment_texts where status = 'pending' order by workspace_id, message_id desc limit most) counted;
  return query select 'embedding', null::text,
      (select count(*)::int from (select from embedding_pending order by is_live, message_id limit most) counted), null::bigint,
      null::timestamptz, (select message_id from embedding_pending where is_live order by message_id limit 1);
  return query select 'embeddingBackfill', null::text, count(before)::int, null::bigint, null::timestamptz, null::text
    from (select before from embedding_progress order by workspace_id limit most) counted;
  return query select 'approval', null::text, count(*)::int, null::bigint, null::timestamptz, null::text
    from (select from approvals where state = 'held' order by workspace_id, message_id limit most) counted;
end $$;
