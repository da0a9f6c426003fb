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

/**
 * Returns the conversations of an inbox in which `most` answers were sent since an id, with the time of the oldest of the last `most`
 * ones: under `thread` that of the thread, and under its address that of each peer. Null if there are none. A message that names others
 * by their hashes and has no thread yet joins that of the first known one.
 *
 * An inbox that has received nothing is done after two look-ups, so ordinary sends pay only for these. Of a conversation the last
 * messages count, ten for each answer that is allowed, and of a term the last 25 for each, so that no traffic makes a send slow.
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

  return (select jsonb_object_agg(c.name, c.at) from (
    select 'thread' as name, nth_answer(array_agg(m.direction = 'outbound' order by m.id), array_agg(m.created_at order by m.id), most) as at
      from (select m.id, m.direction, m.created_at from messages m
        where m.workspace_id = ws and m.thread_id = thread and m.id >= since order by m.id desc limit 10 * most) m
    union all
    select p.address, l.at from (
      -- Most peers of a message have not written lately.
      select p.address from unnest(peers) p(address)
        where exists (select from message_terms t where t.workspace_id = ws and t.term = 'from:' || p.address and t.message_id >= since)
          or exists (select from message_terms t where t.workspace_id = ws and t.term = 'peer:' || p.address and t.message_id >= since)
        offset 0) p, lateral (
      select nth_answer(array_agg(m.direction = 'outbound' order by m.id), array_agg(m.created_at order by m.id), most) as at
      from (select distinct m.id, m.direction, m.created_at from (
          (select t.message_id, 'inbound' as way from message_terms t
            where t.workspace_id = ws and t.term = 'from:' || p.address and t.message_id >= since order by t.message_id desc limit 25 * most)
          union all
          (select t.message_id, 'outbound' from message_terms t
            where t.workspace_id = ws and t.term = 'to:' || p.address and t.message_id >= since order by t.message_id desc limit 25 * most)
          union all
          (select t.message_id, null from message_terms t
            where t.workspace_id = ws and t.term = 'peer:' || p.address and t.message_id >= since order by t.message_id desc limit 25 * most)) t,
        lateral (select m.id, m.direction, m.created_at from messages m
          where m.workspace_id = ws and m.id = t.message_id and m.inbox_id = inbox offset 0) m
        where m.direction = coalesce(t.way, m.direction) order by m.id desc limit 10 * most) m) l
    -- Without this, each time would be worked out twice.
    offset 0) c
    where c.at is not null);
end $$`;
