import { plannedByIndex } from './planner.ts';

/**
 * Returns when the answer was sent that is the `nth` from the end of a conversation, or null if there are fewer. The messages come oldest
 * first. Each sent message answers one received message that no other answers; one that finds none is no answer. Null also if nothing is
 * left to answer, because the next message is then no answer, however many there were.
 */
export const nthAnswer = /* sql */ `
create or replace function nth_answer(sent boolean[], at timestamptz[], nth int) returns timestamptz language plpgsql immutable as $$
declare
  unanswered int := 0;
  answers timestamptz[] := '{}';
begin
  for i in 1..coalesce(cardinality(sent), 0) loop
    if not sent[i] then
      unanswered := unanswered + 1;
    elsif unanswered > 0 then
      unanswered := unanswered - 1;
      answers := answers || at[i];
    end if;
  end loop;
  if unanswered = 0 or cardinality(answers) < nth then return null; end if;
  return answers[cardinality(answers) - nth + 1];
end $$`;

/** Returns an address without the plus tag of its local part, as `stripPlusTag` does. */
export const stripPlusTagInSql = /* sql */ `
create or replace function strip_plus_tag(address text) returns text language sql immutable as $$
  select case when strpos(address, '+') > 1 and left(address, 1) <> '"'
    then regexp_replace(address, '^([^+]+)\\+[^@]*@', '\\1@') else address end
$$`;

/**
 * Returns the answer that is the `nth` from the end between an inbox and a peer, as `nth_answer` does. `with_tags` means the peer with any
 * plus tag. Of the inbox the last `depth` messages count, and of a term, which all inboxes of a workspace share, the last 2.5 times as many
 * are read at most.
 */
export const nthAnswerTo = /* sql */ `
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
end $$`;

/**
 * Returns the conversations of an inbox with as many answers since an id as are allowed, as a list of `in`, `address`, `answers` and
 * `since`, the time of the oldest of the last `answers` ones. Null means that the inbox has received nothing since then.
 *
 * Allowed are `most` to an address; five times as many to an address with all its plus tags; and `most` in a thread for each
 * correspondent who wrote into it, up to five. A message that names others by their hashes and has no thread yet joins that of the first
 * known one.
 *
 * Of the messages to an address the last ten for each of `most` count, and elsewhere the last twenty, so that no traffic makes a send slow.
 */
export const answersAtLimit = /* sql */ `
create or replace function answers_at_limit(ws text, inbox text, thread text, named bytea[], peers text[], since text, most int)
returns jsonb language plpgsql stable ${plannedByIndex} as $$
begin
  if not exists (select from messages m where m.workspace_id = ws and m.inbox_id = inbox and m.direction = 'inbound'
      and m.has_attachments = false and m.id >= since)
    and not exists (select from messages m where m.workspace_id = ws and m.inbox_id = inbox and m.direction = 'inbound'
      and m.has_attachments = true and m.id >= since)
  then return null; end if;

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
end $$`;
