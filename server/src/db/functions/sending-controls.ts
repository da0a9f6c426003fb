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

/** Names the thread in a subject that stands for it. An address of a recipient may hold `{thread}`, too, and never ends with it. */
export const ofThread = (subject: string, thread: string): string =>
  `case when right(${subject}, 9) = '>{thread}' then left(${subject}, -8) || ${thread} else ${subject} end`;

/** The version of everything that decides about sends of a workspace. */
export const versionOf = (ws: string): string =>
  `((select i.sending_version from instance i) || '.' || (select w.sending_version from workspaces w where w.id = ${ws}))`;

/** Returns the version of everything that decides about sends of a workspace. */
export const sendingVersion = /* sql */ `
create or replace function sending_version(ws text) returns text language plpgsql stable ${plannedByIndex} as $$
begin
  return ${versionOf('ws')};
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
 * Returns what people have set for a send: `version`, `paused`, the state of the `key` that sends (null for a person), the `policies`
 * that hold, each with its `level`, its `subject` and its lines, and the `disclosure`. All of it stays the same for as long as the
 * version does, but for a pause that has ended.
 */
export const sendingControls = /* sql */ `
create or replace function sending_controls(p jsonb) returns jsonb language plpgsql stable ${plannedByIndex} ${byNestedLoops} as $$
declare
  ws text := p->>'workspace_id';
  inbox text := p->>'inbox_id';
  keys text[] := array(select jsonb_array_elements_text(p->'keys'));
begin
  return jsonb_build_object(
    'version', sending_version(ws), 'paused', (select paused.level from (
        select 1 as place, 'server' as level, '' as subject union all select 2, 'workspace', ws union all select 3, 'inbox', inbox
        union all select 4, 'key', k from unnest(keys) k) asked,
      lateral (select p.level from pauses p where p.level = asked.level and p.subject_id = asked.subject offset 0) paused
      order by place limit 1),
    'key', (select jsonb_build_object('revoked', k.revoked_at is not null, 'expires_at', k.expires_at, 'read_only', k.read_only,
        'out_of_scope', coalesce(inbox <> all(k.inbox_ids), false)) from api_keys k where k.id = p->>'actor'),
    'policies', coalesce((select jsonb_agg(jsonb_build_object('level', q.level, 'subject', q.subject_id, 'lines', q.lines)) from policies q
      where q.workspace_id = ws
        and (q.level = 'workspace' or (q.level = 'inbox' and q.subject_id = inbox) or (q.level = 'key' and q.subject_id = any(keys)))), '[]'),
    'disclosure', (select w.disclosure from workspaces w where w.id = ws));
end $$`;

/** Returns the thread that a message joins by the hashes of the Message-IDs that it names, best first. */
export const threadByNames = /* sql */ `
create or replace function thread_by_names(ws text, inbox text, named jsonb) returns text language plpgsql stable ${plannedByIndex} as $$
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
end $$`;

/**
 * Whether a mail is proven to be written by an address: it passed DMARC for the very domain of that address, or it is from this server,
 * and so has no authentication.
 */
export const isProvenFor = (authentication: string, address: string): string =>
  `(${authentication}->>'dmarc' is null or (${authentication}->>'dmarc' = 'pass'
    and right(lower(${address}), length(${authentication}->>'verified_domain') + 1) = '@' || (${authentication}->>'verified_domain')))`;

/**
 * Returns what policies ask about each of some sends, with its place: the thread that it joins, `sent`, how many mails count for each of
 * its `caps`, in their order, and the known recipients. A cap has its subject, in which `{thread}` stands for the thread, the beginning
 * of its window and how many it allows. No more rows are read than that, since each counts at least one mail.
 *
 * Known are the addresses that wrote to the inbox before, with DMARC pass for their domain or from this server. Of the mail of each
 * address the newest and the oldest are looked at, so that no amount of forged mail makes a send slow.
 */
export const sendingCounts = /* sql */ `
create or replace function sending_counts(ps jsonb) returns table (place int, counts jsonb) rows 3 language plpgsql stable ${plannedByIndex} as $$
begin
  return query select n::int, jsonb_build_object('thread_id', thread,
      'sent', array(select (select coalesce(sum(c.amount), 0) from (
            select c.amount from send_counts c where c.workspace_id = ws and c.subject = ${ofThread('(cap->>0)', "coalesce(thread, '')")}
              and c.slot > (cap->>1)::timestamptz limit (cap->>2)::bigint + 1) c)
        from jsonb_array_elements(p->'caps') with ordinality e(cap, n) order by n),
      'known', case when (p->>'asks_known')::boolean then array(select a from jsonb_array_elements_text(p->'addresses') a where exists (
        select from (
          (select t.message_id from message_terms t where t.workspace_id = ws and t.term = 'from:' || lower(a) order by t.message_id desc limit 200)
          union all
          (select t.message_id from message_terms t where t.workspace_id = ws and t.term = 'from:' || lower(a) order by t.message_id limit 200)) t,
        lateral (select m.inbox_id, m.direction, m.authentication from messages m
          where m.workspace_id = ws and m.id = t.message_id offset 0) m
        where m.inbox_id = p->>'inbox_id' and m.direction = 'inbound' and ${isProvenFor('m.authentication', 'a')})) end)
    from (select e.*, p->>'workspace_id' as ws,
      case when jsonb_array_length(p->'named') > 0
        then thread_by_names(p->>'workspace_id', p->>'inbox_id', p->'named') else p->>'thread_id' end as thread
      from jsonb_array_elements(ps) with ordinality e(p, n) offset 0) sends;
end $$`;

/** Returns how many mails of a subject were counted since a time, with the settings of `store_messages`, which calls it. */
export const mailsSince = /* sql */ `
create or replace function mails_since(ws text, counted text, since timestamptz) returns bigint language plpgsql stable as $$
begin
  return (select coalesce(sum(c.amount), 0) from send_counts c where c.workspace_id = ws and c.subject = counted and c.slot > since);
end $$`;
