-- Merges threads into `survivor`: their messages, the ids that they wait for, and their labels.
create or replace function merge_threads(ws text, survivor text, merged text[]) returns void language plpgsql as $$
begin
  perform 1 from threads where workspace_id = ws and id = any(merged || survivor) order by id for update;
  update messages set thread_id = survivor where workspace_id = ws and thread_id = any(merged);
  update thread_aliases set thread_id = survivor where workspace_id = ws and thread_id = any(merged);
  insert into thread_aliases (workspace_id, id, thread_id) select ws, unnest(merged), survivor;
  insert into awaited_ids (workspace_id, inbox_id, hash, thread_id)
    select workspace_id, inbox_id, hash, survivor from awaited_ids where workspace_id = ws and thread_id = any(merged)
    on conflict do nothing;
  delete from awaited_ids where workspace_id = ws and thread_id = any(merged);
  insert into thread_labels (workspace_id, thread_id, label_id, inbox_id, last_message_at)
    select l.workspace_id, survivor, l.label_id, l.inbox_id, t.last_message_at
    from thread_labels l join threads t on t.workspace_id = ws and t.id = survivor
    where l.workspace_id = ws and l.thread_id = any(merged) on conflict do nothing;
  delete from thread_labels where workspace_id = ws and thread_id = any(merged);
  -- What was sent in any of them counts for the caps of the one that is left.
  insert into send_counts (workspace_id, subject, slot, message_id, amount)
    select ws, q.subject_id || '>' || survivor, c.slot, c.message_id, sum(c.amount)
    from policies q, unnest(merged) m(id), lateral (select c.slot, c.message_id, c.amount from send_counts c
      where c.workspace_id = ws and c.subject = q.subject_id || '>' || m.id offset 0) c
    where q.workspace_id = ws and q.lines ? 'per_thread_hour' group by 1, 2, 3, 4
    on conflict (workspace_id, subject, slot, message_id) do update set amount = send_counts.amount + excluded.amount;
  update threads t set
    message_count = t.message_count + m.message_count,
    unread_count = t.unread_count + m.unread_count,
    last_message_at = greatest(t.last_message_at, m.last_message_at),
    participants = (t.participants || array(select x from unnest(m.participants) x where x <> all(t.participants)))[1:100]
  from (select sum(message_count)::int as message_count, sum(unread_count)::int as unread_count, max(last_message_at) as last_message_at,
          array(select distinct p from threads o, unnest(o.participants) p where o.workspace_id = ws and o.id = any(merged)) as participants
        from threads where workspace_id = ws and id = any(merged)) m
  where t.workspace_id = ws and t.id = survivor;
  delete from threads where workspace_id = ws and id = any(merged);
end $$;
