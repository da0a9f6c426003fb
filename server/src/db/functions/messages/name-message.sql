-- Adds Message-IDs to a message that was stored before: those that a provider gave it. Threads that waited for one of them are merged
-- with its own, as if the ids had been known from the start. The locks are those of `store_messages`, in the same order.
create or replace function name_message(ws text, msg text, own_ids jsonb) returns void language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
as $$
declare
  own bytea[] := array(select decode(h, 'hex') from jsonb_array_elements_text(own_ids) h);
  inbox text;
  thread text;
  waiting text[];
begin
  select inbox_id into inbox from messages where workspace_id = ws and id = msg;
  perform pg_advisory_xact_lock_shared(lock_key('inbox', inbox));
  perform pg_advisory_xact_lock(lock) from (
    select lock_key('message id', inbox || encode(h, 'hex')) as lock from unnest(own) h order by 1) locks;
  perform 1 from messages m join inboxes i on i.workspace_id = ws and i.id = m.inbox_id and i.deleted_at is null
    where m.workspace_id = ws and m.id = msg;
  if not found then return; end if;
  insert into message_ids (workspace_id, inbox_id, hash, message_id) select ws, inbox, h, msg from unnest(own) h on conflict do nothing;
  if not exists (select from awaited_ids a where a.workspace_id = ws and a.inbox_id = inbox and a.hash = any(own)) then return; end if;

  perform pg_advisory_xact_lock(lock_key('threads', inbox));
  select m.thread_id into thread from messages m where m.workspace_id = ws and m.id = msg;
  select array_agg(distinct a.thread_id) into waiting from awaited_ids a
    where a.workspace_id = ws and a.inbox_id = inbox and a.hash = any(own);
  delete from awaited_ids where workspace_id = ws and inbox_id = inbox and hash = any(own);
  waiting := array(select t.id from threads t where t.workspace_id = ws and t.id = any(waiting || thread) order by t.created_at, t.id);
  if cardinality(waiting) > 1 then perform merge_threads(ws, waiting[1], waiting[2:]); end if;
end $$;
