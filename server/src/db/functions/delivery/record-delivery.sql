-- Records the outcome of one recipient, with the resulting suppression and events, in one round trip. Returns false if the status may not
-- follow the current one. Then the status does not change, so late and repeated reports are harmless. The status of the message is the
-- worst of its recipients' and is not stored, so that it need not be kept in sync.
create or replace function record_delivery(p jsonb) returns boolean language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
as $$
declare
  ws text := p->>'workspace_id';
  msg text := p->>'message_id';
  at timestamptz := (p->>'at')::timestamptz;
  m record;
begin
  -- First, so that the locks of threads are taken before those of rows.
  if p ? 'own_ids' then perform name_message(ws, msg, p->'own_ids'); end if;
  update message_recipients set
    status = p->>'status', detail = p->>'detail', updated_at = at, due_at = (p->>'due_at')::timestamptz,
    provider_message_id = coalesce(p->>'provider_message_id', provider_message_id), sandboxed = coalesce((p->>'sandboxed')::boolean, false)
    where workspace_id = ws and message_id = msg and address = p->>'address'
      and p->'from_statuses' ? status
      and (p->>'attempts' is null or attempts = (p->>'attempts')::int);
  if not found then
    -- The provider's id is kept also where a report on the attempt was there before the relay's answer.
    if p->>'provider_message_id' is not null then
      update message_recipients set provider_message_id = p->>'provider_message_id'
        where workspace_id = ws and message_id = msg and address = p->>'address'
          and provider_message_id is null and attempts = (p->>'attempts')::int;
    end if;
    return false;
  end if;
  if p ? 'suppression' then
    insert into suppressions (workspace_id, address, reason, message_id, created_at)
      values (ws, p->>'address', p->>'suppression', msg, at) on conflict do nothing;
  end if;
  if p ? 'events' then
    select inbox_id, thread_id into m from messages where workspace_id = ws and id = msg;
    insert into events (workspace_id, id, event, inbox_id, thread_id, message_id, extra, created_at)
      select ws, e->>'id', e->>'event', m.inbox_id, m.thread_id, msg, e->'extra', at from jsonb_array_elements(p->'events') e
      -- Only the first deferral of a recipient is an event.
      where e->>'event' <> 'message.deferred' or not exists (select from events before
        where before.workspace_id = ws and before.message_id = msg and before.event = 'message.deferred'
          and before.extra->>'recipient' = p->>'address');
  end if;
  return true;
end $$;
