-- Returns what policies ask about each of some sends, with its place: the thread that it joins, `sent`, how many mails count for each of
-- its `caps`, in their order, and the known recipients. A cap has its subject, in which `{thread}` stands for the thread, the beginning
-- of its window and how many it allows. No more rows are read than that, since each counts at least one mail.
--
-- Known are the addresses that wrote to the inbox before, with DMARC pass for their domain or from this server. Of the mail of each
-- address the newest and the oldest are looked at, so that no amount of forged mail makes a send slow.
create or replace function sending_counts(ps jsonb) returns table (place int, counts jsonb) rows 3 language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
as $$
begin
  return query select n::int, jsonb_build_object('thread_id', thread,
      'sent', array(select (select coalesce(sum(c.amount), 0) from (
            select c.amount from send_counts c where c.workspace_id = ws and c.subject = subject_of_thread(cap->>0, coalesce(thread, ''))
              and c.slot > (cap->>1)::timestamptz limit (cap->>2)::bigint + 1) c)
        from jsonb_array_elements(p->'caps') with ordinality e(cap, n) order by n),
      'known', case when (p->>'asks_known')::boolean then array(select a from jsonb_array_elements_text(p->'addresses') a where exists (
        select from (
          (select t.message_id from message_terms t where t.workspace_id = ws and t.term = 'from:' || lower(a) order by t.message_id desc limit 200)
          union all
          (select t.message_id from message_terms t where t.workspace_id = ws and t.term = 'from:' || lower(a) order by t.message_id limit 200)) t,
        lateral (select m.inbox_id, m.direction, m.authentication from messages m
          where m.workspace_id = ws and m.id = t.message_id offset 0) m
        where m.inbox_id = p->>'inbox_id' and m.direction = 'inbound' and is_proven_for(m.authentication, a))) end)
    from (select e.*, p->>'workspace_id' as ws,
      case when jsonb_array_length(p->'named') > 0
        then thread_by_names(p->>'workspace_id', p->>'inbox_id', p->'named') else p->>'thread_id' end as thread
      from jsonb_array_elements(ps) with ordinality e(p, n) offset 0) sends;
end $$;
