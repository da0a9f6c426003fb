-- Moves a thread in the lists of its labels when a mail joins it.
create or replace function move_labelled_thread() returns trigger language plpgsql as $$
begin
  update thread_labels set last_message_at = new.last_message_at where workspace_id = new.workspace_id and thread_id = new.id;
  return null;
end $$;
