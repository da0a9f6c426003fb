-- Returns the answer that is the `nth` from the end between an inbox and a peer, as `nth_answer` does. `with_tags` means the peer with
-- any plus tag. Of the inbox the last `depth` messages count, and of a term, which all inboxes of a workspace share, the last 2.5 times
-- as many are read at most.
create or replace function nth_answer_to(ws text, inbox text, peer text, with_tags boolean, since text, nth int, depth int)
returns timestamptz language plpgsql stable as $$
begin
  return (select nth_answer(array_agg(m.direction = 'outbound' order by m.id), array_agg(m.created_at order by m.id), nth)
    from (select distinct m.id, m.direction, m.created_at
      from (values ('from:', 'inbound'), ('reply:', 'inbound'), ('to:', 'outbound'), ('peer:', null)) k(field, way),
      -- Stops at the last message that counts, however many more the term has.
      lateral (select m.id, m.direction, m.created_at
        from (select t.message_id from message_terms t
          where t.workspace_id = ws and t.term = k.field || peer and t.message_id >= since order by t.message_id desc limit 5 * depth / 2) t,
        lateral (select m.id, m.direction, m.created_at from messages m
          where m.workspace_id = ws and m.id = t.message_id and m.inbox_id = inbox offset 0) m
        where m.direction = coalesce(k.way, m.direction) limit depth) m
      where with_tags or k.way is not null
      order by m.id desc limit depth) m);
end $$;
