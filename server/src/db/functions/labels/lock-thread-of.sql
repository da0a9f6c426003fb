-- Returns the thread of a message and locks it, so that concurrent changes of its labels take turns. Returns null if the message or its
-- thread is gone.
create or replace function lock_thread_of(ws text, msg text) returns threads language plpgsql as $$
declare
  its_thread text;
  thread threads;
begin
  -- Looks again where another thread took the message's over while it was waited for.
  for attempt in 1..1000 loop
    -- Two look-ups by key, since a join could be carried out for all messages.
    select m.thread_id into its_thread from messages m where m.workspace_id = ws and m.id = msg;
    if not found then return null; end if;
    select t.* into thread from threads t where t.workspace_id = ws and t.id = its_thread for no key update;
    if found then return thread; end if;
    if exists (select from deleted_threads d where d.workspace_id = ws and d.thread_id = its_thread) then return null; end if;
  end loop;
  return null;
end $$;
