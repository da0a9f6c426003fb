-- Returns the thread that a message joins by the hashes of the Message-IDs that it names, best first.
create or replace function thread_by_names(ws text, inbox text, named jsonb) returns text language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
as $$
begin
  return coalesce((
    select m.thread_id from jsonb_array_elements_text(named) with ordinality n(hash, rank),
      lateral (select i.message_id from message_ids i
        where i.workspace_id = ws and i.inbox_id = inbox and i.hash = decode(n.hash, 'hex') order by i.message_id limit 1) i,
      lateral (select m.thread_id from messages m where m.workspace_id = ws and m.id = i.message_id offset 0) m
      order by n.rank limit 1), (
    -- A message that names only unknown ids joins the oldest thread that waits for one of them.
    select t.id from jsonb_array_elements_text(named) n(hash),
      lateral (select a.thread_id from awaited_ids a
        where a.workspace_id = ws and a.inbox_id = inbox and a.hash = decode(n.hash, 'hex') offset 0) a,
      lateral (select t.id, t.created_at from threads t where t.workspace_id = ws and t.id = a.thread_id offset 0) t
      order by t.created_at, t.id limit 1));
end $$;
