-- Returns the conversations of an inbox with as many answers since an id as are allowed, as a list of `in`, `address`, `answers` and
-- `since`, the time of the oldest of the last `answers` ones.
--
-- Allowed are `most` to an address; five times as many to an address with all its plus tags; and `most` in a thread for each
-- correspondent who wrote into it, up to five. A message that names others by their hashes and has no thread yet joins that of the first
-- known one.
--
-- Of the messages to an address the last ten for each of `most` count, and elsewhere the last twenty, so that no traffic makes a send
-- slow. It runs with the settings of `find_senders`, which calls it only for an inbox that has received something since then.
create or replace function answers_at_limit(ws text, inbox text, thread text, named bytea[], peers text[], since text, most int)
returns jsonb language plpgsql stable as $$
begin
  if thread is null and cardinality(named) > 0 then
    select m.thread_id into thread from unnest(named) with ordinality n(hash, rank),
      lateral (select i.message_id from message_ids i
        where i.workspace_id = ws and i.inbox_id = inbox and i.hash = n.hash order by i.message_id limit 1) i,
      lateral (select m.thread_id from messages m where m.workspace_id = ws and m.id = i.message_id offset 0) m
      order by n.rank limit 1;
  end if;

  return (select coalesce(jsonb_agg(jsonb_build_object('in', c.kind, 'address', c.address, 'answers', c.answers, 'since', c.at)), '[]') from (
    select 'thread' as kind, null as address, t.answers, nth_answer(t.sent, t.at, t.answers) as at from (
      select array_agg(m.direction = 'outbound' order by m.id) as sent, array_agg(m.created_at order by m.id) as at,
        least(5, count(distinct strip_plus_tag(m.from_addr)) filter (where m.direction = 'inbound'))::int * most as answers
      from (select m.id, m.direction, m.from_addr, m.created_at from messages m
        where m.workspace_id = ws and m.thread_id = thread and m.id >= since order by m.id desc limit 20 * most) m
      having count(*) filter (where m.direction = 'outbound') >= most offset 0) t
    union all
    select 'address', p.address, most, nth_answer_to(ws, inbox, p.address, false, since, most, 10 * most) from (
      -- To most peers few messages went lately.
      select distinct p.address from unnest(peers) p(address)
        where (select count(*) from (select from message_terms t
          where t.workspace_id = ws and t.term = 'to:' || p.address and t.message_id >= since limit most) t) = most
        offset 0) p
    union all
    select 'tags', p.address, 5 * most, nth_answer_to(ws, inbox, p.address, true, since, 5 * most, 20 * most) from (
      -- Most peers have no tags.
      select distinct p.address from (select strip_plus_tag(address) as address from unnest(peers) p(address) offset 0) p
        where (select true from message_terms t
          where t.workspace_id = ws and t.term = 'peer:' || p.address and t.message_id >= since limit 1)
        and (select count(*) from (select from message_terms t where t.workspace_id = ws
          and t.term = any(array['peer:' || p.address, 'to:' || p.address]) and t.message_id >= since limit 5 * most) t) = 5 * most
        offset 0) p
    -- Without this, each time would be worked out twice.
    offset 0) c
    where c.at is not null);
end $$;
