-- Returns the widest pause that holds back a message, also of the key that wrote its draft; null without one.
create or replace function pause_of_message(ws text, msg text) returns text language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
as $$
begin
  return (select p.level from messages m,
    unnest(array['server', 'workspace', 'inbox', 'key', 'key'], array['', ws, m.inbox_id, m.actor_id, m.writer_id]) with ordinality a(level, subject, n),
    lateral (select p.level from pauses p where p.level = a.level and p.subject_id = a.subject) p
    where m.workspace_id = ws and m.id = msg order by n limit 1);
end $$;
