import { byNestedLoops, plannedByIndex } from './planner.ts';

/**
 * Takes the locks under which a send is decided: shared, as all sends do, or alone, as a change of what may be sent does. So a change waits
 * for sends that are being stored, and those that come later see it. An empty workspace is the server.
 */
export const lockSending = /* sql */ `
create or replace function lock_sending(ws text, alone boolean) returns void language plpgsql as $$
begin
  if alone then perform pg_advisory_xact_lock(hashtextextended('sending:' || ws, 0));
  else perform pg_advisory_xact_lock_shared(hashtextextended('sending:' || ws, 0)); end if;
end $$`;

/**
 * Takes the lock of what waits for the end of a pause: shared to let recipients and drafts wait, and alone to end a pause. Otherwise
 * something could begin to wait for a pause that has ended, and nobody would let it go on.
 */
export const lockWaiting = /* sql */ `
create or replace function lock_waiting(alone boolean) returns void language plpgsql as $$
begin
  if alone then perform pg_advisory_xact_lock(hashtextextended('waiting', 0));
  else perform pg_advisory_xact_lock_shared(hashtextextended('waiting', 0)); end if;
end $$`;

// A function has a cost of its own, which a send would pay for each cap.
const countedSince = (subject: string, since: string) =>
  `(select coalesce(sum(c.amount), 0) from send_counts c where c.workspace_id = ws and c.subject = ${subject} and c.slot > ${since})`;

/** Returns the version of everything that decides about sends of a workspace. */
export const sendingVersion = /* sql */ `
create or replace function sending_version(ws text) returns text language plpgsql stable ${plannedByIndex} as $$
begin
  return (select sending_version from instance) || '.' || (select w.sending_version from workspaces w where w.id = ws);
end $$`;

/** Returns the widest pause that holds back what an actor sends from an inbox; null without one. */
export const pauseOf = /* sql */ `
create or replace function pause_of(ws text, inbox text, actor text) returns text language plpgsql stable ${plannedByIndex} as $$
begin
  return (select p.level from unnest(array['server', 'workspace', 'inbox', 'key'], array['', ws, inbox, actor]) with ordinality a(level, subject, n),
    lateral (select p.level from pauses p where p.level = a.level and p.subject_id = a.subject) p order by n limit 1);
end $$`;

/** Returns the widest pause that holds back a message, also of the key that wrote its draft; null without one. */
export const pauseOfMessage = /* sql */ `
create or replace function pause_of_message(ws text, msg text) returns text language plpgsql stable ${plannedByIndex} as $$
begin
  return (select p.level from messages m,
    unnest(array['server', 'workspace', 'inbox', 'key', 'key'], array['', ws, m.inbox_id, m.actor_id, m.writer_id]) with ordinality a(level, subject, n),
    lateral (select p.level from pauses p where p.level = a.level and p.subject_id = a.subject) p
    where m.workspace_id = ws and m.id = msg order by n limit 1);
end $$`;

/**
 * Returns which of some addresses wrote to an inbox before, with DMARC pass or from this server. Mail from this server has no
 * authentication. Of the mail of each address the newest and the oldest are looked at, so that no amount of forged mail makes a send slow.
 * It has the settings of `sending_controls`, which calls it: to set them once more would take as long as the look-up.
 */
export const knownAddresses = /* sql */ `
create or replace function known_addresses(ws text, inbox text, addresses text[]) returns text[] language plpgsql stable as $$
begin
  return array(select a from unnest(addresses) a where exists (
    select from (
      (select t.message_id from message_terms t where t.workspace_id = ws and t.term = 'from:' || lower(a) order by t.message_id desc limit 200)
      union all
      (select t.message_id from message_terms t where t.workspace_id = ws and t.term = 'from:' || lower(a) order by t.message_id limit 200)) t,
    lateral (select m.inbox_id, m.direction, m.authentication from messages m
      where m.workspace_id = ws and m.id = t.message_id offset 0) m
    where m.inbox_id = inbox and m.direction = 'inbound' and coalesce(m.authentication->>'dmarc', 'pass') = 'pass'));
end $$`;

/**
 * Returns everything that people have set for a send: `version`, `paused`, whether the key that sends is `revoked` or `read_only`, or the inbox
 * is `out_of_scope` (null for a person), and the policies that hold for it. A policy has its `level`, its `subject` and its lines, and, of each cap,
 * how many mails count. Those of an hour and a day are null if, by the highest that they can be (`counts_at_most`), no cap is near. `known` has the
 * known recipients if a policy asks for them.
 */
export const sendingControls = /* sql */ `
create or replace function sending_controls(p jsonb) returns jsonb language plpgsql stable ${plannedByIndex} ${byNestedLoops} as $$
declare
  ws text := p->>'workspace_id';
  inbox text := p->>'inbox_id';
  keys text[] := array(select jsonb_array_elements_text(p->'keys'));
  addresses text[] := array(select jsonb_array_elements_text(p->'addresses'));
  thread text := p->>'thread_id';
  hour timestamptz := (p->>'hour_since')::timestamptz;
  day timestamptz := (p->>'day_since')::timestamptz;
  held jsonb;
begin
  if thread is null and jsonb_array_length(p->'named') > 0
    and (select true from policies q where q.workspace_id = ws and q.lines ? 'per_thread_hour' limit 1) then
    select m.thread_id into thread from jsonb_array_elements_text(p->'named') with ordinality n(hash, rank),
      lateral (select i.message_id from message_ids i
        where i.workspace_id = ws and i.inbox_id = inbox and i.hash = decode(n.hash, 'hex') order by i.message_id limit 1) i,
      lateral (select m.thread_id from messages m where m.workspace_id = ws and m.id = i.message_id offset 0) m
      order by n.rank limit 1;
    -- A message that names only unknown ids joins the oldest thread that waits for one of them.
    if thread is null then
      select t.id into thread from jsonb_array_elements_text(p->'named') n(hash),
        lateral (select a.thread_id from awaited_ids a
          where a.workspace_id = ws and a.inbox_id = inbox and a.hash = decode(n.hash, 'hex') offset 0) a,
        lateral (select t.id, t.created_at from threads t where t.workspace_id = ws and t.id = a.thread_id offset 0) t
        order by t.created_at, t.id limit 1;
    end if;
  end if;
  select jsonb_agg(jsonb_build_object('level', q.level, 'subject', q.subject_id, 'lines', q.lines,
      'hour', case when is_near and q.lines ? 'per_hour' then ${countedSince('q.subject_id', 'hour')} end,
      'day', case when is_near and q.lines ? 'per_day' then ${countedSince('q.subject_id', 'day')} end,
      'thread_id', thread,
      'thread', case when thread is not null and q.lines ? 'per_thread_hour' then ${countedSince("q.subject_id || '>' || thread", 'hour')} end,
      'recipients', case when q.lines ? 'per_recipient_day' then
        (select jsonb_object_agg(a, ${countedSince("q.subject_id || '>' || a", 'day')})
          from (select distinct strip_plus_tag(x) as a from unnest(addresses) x) persons) end)) into held
    from policies q, lateral (select p->'counts_at_most'->q.subject_id as bound offset 0) known,
      lateral (select coalesce((q.lines->>'per_hour')::bigint <= (bound->>'hour')::bigint, q.lines ? 'per_hour')
        or coalesce((q.lines->>'per_day')::bigint <= (bound->>'day')::bigint, q.lines ? 'per_day') as is_near offset 0) near
    where q.workspace_id = ws
      and (q.level = 'workspace' or (q.level = 'inbox' and q.subject_id = inbox) or (q.level = 'key' and q.subject_id = any(keys)));
  return jsonb_build_object(
    'version', sending_version(ws), 'paused', (select paused.level from (
        select 1 as place, 'server' as level, '' as subject union all select 2, 'workspace', ws union all select 3, 'inbox', inbox
        union all select 4, 'key', k from unnest(keys) k) asked,
      lateral (select p.level from pauses p where p.level = asked.level and p.subject_id = asked.subject offset 0) paused
      order by place limit 1),
    'key', (select jsonb_build_object('revoked', k.revoked_at is not null or coalesce(k.expires_at <= (p->>'at')::timestamptz, false),
        'read_only', k.read_only, 'out_of_scope', coalesce(inbox <> all(k.inbox_ids), false)) from api_keys k where k.id = p->>'actor'),
    'policies', coalesce(held, '[]'),
    'known', case when held @> '[{"lines": {"recipients": "known"}}]' then to_jsonb(known_addresses(ws, inbox, addresses)) end,
    'disclosure', (select w.disclosure from workspaces w where w.id = ws));
end $$`;

/** Returns how many mails of a subject were counted since a time, with the settings of `store_messages`, which calls it. */
export const mailsSince = /* sql */ `
create or replace function mails_since(ws text, counted text, since timestamptz) returns bigint language plpgsql stable as $$
begin
  return ${countedSince('counted', 'since')};
end $$`;
