-- Records that from now on the message may have gone to a recipient. Returns false if the caller no longer holds the lease, or if sending
-- is paused; the recipient then waits for the end of the pause. A pause waits for those that are being recorded, and later ones see it.
-- `again` repeats a record that took long.
create or replace function mark_handed_over(p jsonb) returns boolean language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
as $$
declare
  ws text := p->>'workspace_id';
  msg text := p->>'message_id';
  at timestamptz := (p->>'at')::timestamptz;
  paused text;
begin
  perform lock_sending('', false);
  perform lock_sending(ws, false);
  select pause_of_message(ws, msg) into paused;
  if paused is null then
    update message_recipients set
      status = 'sending', due_at = (p->>'due_at')::timestamptz, updated_at = at
      where workspace_id = ws and message_id = msg and address = p->>'address'
        and attempts = (p->>'attempts')::int and due_at is not null
        and (status in ('queued', 'deferred') or (p ? 'again' and status = 'sending'));
    return found;
  end if;
  perform lock_waiting(false);
  -- The pause may have ended meanwhile.
  select pause_of_message(ws, msg) into paused;
  update message_recipients set
    due_at = case when paused is null then at else expires_at end, resume_at = case when paused is not null then at end
    where workspace_id = ws and message_id = msg and address = p->>'address'
      and attempts = (p->>'attempts')::int and due_at is not null and status in ('queued', 'deferred');
  return false;
end $$;
