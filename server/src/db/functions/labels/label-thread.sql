-- Adds a label that is put on a message to its thread.
create or replace function label_thread() returns trigger language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
as $$
declare
  thread threads := lock_thread_of(new.workspace_id, new.message_id);
begin
  if thread.id is not null then
    insert into thread_labels (workspace_id, thread_id, label_id, inbox_id, last_message_at)
      values (new.workspace_id, thread.id, new.label_id, thread.inbox_id, thread.last_message_at) on conflict do nothing;
  end if;
  return null;
end $$;
