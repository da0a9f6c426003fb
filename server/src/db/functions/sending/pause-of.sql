-- Returns the widest pause that holds back what an actor sends from an inbox; null without one.
create or replace function pause_of(ws text, inbox text, actor text) returns text language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
as $$
begin
  return (select p.level from unnest(array['server', 'workspace', 'inbox', 'key'], array['', ws, inbox, actor]) with ordinality a(level, subject, n),
    lateral (select p.level from pauses p where p.level = a.level and p.subject_id = a.subject) p order by n limit 1);
end $$;
