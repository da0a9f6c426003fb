-- Returns a claimed delivery with its event. It is stable, as all that it calls, so that Postgres inlines it into the statement.
create or replace function claimed_delivery(d webhook_deliveries, e events) returns jsonb language sql stable as $$
  select jsonb_build_object('workspace_id', d.workspace_id, 'id', d.id, 'webhook_id', d.webhook_id, 'event_id', d.event_id,
    'origin', d.origin, 'attempted', jsonb_array_length(d.attempts), 'is_retry', d.is_retry, 'fence', d.fence,
    'created_at', d.created_at, 'event', case when e.id is not null then to_jsonb(e) end)
$$;
