-- Removes a label from a thread when it is removed from the last message of the thread that had it.
create or replace function unlabel_thread() returns trigger language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
as $$
declare
  thread text;
begin
  -- What remains of a label or an inbox that is deleted is removed by the job of its deletion.
  if not exists (select from labels l where l.workspace_id = old.workspace_id and l.id = old.label_id) then return null; end if;
  if exists (select from messages m join inboxes i on i.workspace_id = m.workspace_id and i.id = m.inbox_id
    where m.workspace_id = old.workspace_id and m.id = old.message_id and i.deleted_at is not null) then return null; end if;
  thread := (lock_thread_of(old.workspace_id, old.message_id)).id;
  -- Other messages of the thread are looked up one by one: a join could be carried out for all messages of the label.
  delete from thread_labels where workspace_id = old.workspace_id and thread_id = thread and label_id = old.label_id
    and not exists (select from messages m where m.workspace_id = old.workspace_id and m.thread_id = thread
      and (select true from message_labels l where l.workspace_id = m.workspace_id and l.message_id = m.id
        and l.label_id = old.label_id limit 1));
  return null;
end $$;
