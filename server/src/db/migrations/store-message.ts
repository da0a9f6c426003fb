import { Migration } from '@mikro-orm/migrations';

/**
 * `store_message(jsonb, bytea)`: one mail of either direction with all that belongs to it, in one transaction and one round trip
 * (six round trips cost three quarters of the intake rate). It answers `{outcome, message_id, thread_id}` with the outcome
 * `stored`, `repeated` (a redelivery, or a `client_id` in use: the ids are those of the first) or `inbox_gone`.
 *
 * Threading: an explicit thread, else that of the first known id of `candidates` (In-Reply-To, then References from the
 * right), else that of a mail with the same id, else a new one. Ids that are unknown are remembered; when a mail arrives
 * whose own id was awaited, the threads that waited merge into the oldest.
 *
 * Each id is looked up by a query of its own (lateral, with a limit). Joined as a set, a plan that was made while the tables were
 * small reads all ids of the inbox for every mail, and goes on doing so until the next ANALYZE.
 *
 * Its statements are planned once for each connection: plans made anew for each mail cost as much as carrying them out, and
 * differ in nothing, since every look-up has one way. None reads a table whole: a plan that is made while a table has a page
 * would go on doing so when it has many.
 *
 * Addresses and words of the subject become terms, which lists are filtered by: an index has each term's messages in the order of
 * lists, which an inverted index does not. Words of over 255 characters are left out: an index entry might have no room for one.
 * Addresses are lexemes of the search index too. Its vector is written out where the row is made: as a function of its own it would
 * be parsed and planned again for each mail.
 *
 * Locks, always in this order, so that two calls cannot deadlock; where several share a transaction they can, and are then made
 * one by one. The inbox, shared, which its deletion takes exclusively. Ids: a
 * mail locks its own exclusively and those that it names shared, in one order, so that a mail and the one that it waits for
 * do not miss each other while both are uncommitted. The threads of the inbox: shared by who joins one and exclusive for who
 * merges, so that no thread vanishes between being found and being joined, and merges take turns.
 */
export class StoreMessage extends Migration {
  override up(): void {
    this.addSql(mergeThreads);
    this.addSql(storeMessage);
  }
}

/** Tables that it names come with later migrations, which carry it out again where they need it to be as it is here. */
export const mergeThreads = `
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
  insert into thread_labels select l.workspace_id, survivor, l.label_id, l.inbox_id, t.last_message_at
    from thread_labels l join threads t on t.workspace_id = ws and t.id = survivor
    where l.workspace_id = ws and l.thread_id = any(merged) on conflict do nothing;
  delete from thread_labels where workspace_id = ws and thread_id = any(merged);
  update threads t set
    message_count = t.message_count + m.message_count,
    last_message_at = greatest(t.last_message_at, m.last_message_at),
    participants = (t.participants || array(select x from unnest(m.participants) x where x <> all(t.participants)))[1:100]
  from (select sum(message_count)::int as message_count, max(last_message_at) as last_message_at,
          array(select distinct p from threads o, unnest(o.participants) p where o.workspace_id = ws and o.id = any(merged)) as participants
        from threads where workspace_id = ws and id = any(merged)) m
  where t.workspace_id = ws and t.id = survivor;
  delete from threads where workspace_id = ws and id = any(merged);
end $$`;

export const storeMessage = `
create or replace function store_message(p jsonb, original bytea) returns jsonb language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  m jsonb := p->'message';
  ws text := m->>'workspace_id';
  inbox text := m->>'inbox_id';
  msg text := m->>'id';
  at timestamptz := (m->>'created_at')::timestamptz;
  own bytea[] := array(select decode(h, 'hex') from jsonb_array_elements_text(p->'own_ids') h);
  named bytea[] := array(select decode(h, 'hex') from jsonb_array_elements_text(p->'candidates') with ordinality c(h, n) order by n);
  people text[] := array(select jsonb_array_elements_text(p->'participants'));
  thread text := p->>'thread_id';
  awaited boolean;
  related boolean;
  waiting text[];
  first_id text;
  key record;
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('inbox:' || inbox, 0));
  perform 1 from inboxes where workspace_id = ws and id = inbox and deleted_at is null;
  if not found then return jsonb_build_object('outcome', 'inbox_gone'); end if;

  if p ? 'client' then
    insert into client_ids values (ws, p->'client'->>'client_id', msg, (p->'client'->>'expires_at')::timestamptz)
      on conflict (workspace_id, client_id) do update set message_id = msg, expires_at = excluded.expires_at
      where client_ids.expires_at <= at;
    if not found then
      select c.message_id into first_id from client_ids c where c.workspace_id = ws and c.client_id = p->'client'->>'client_id';
      return jsonb_build_object('outcome', 'repeated', 'message_id', first_id);
    end if;
  end if;
  if p ? 'fingerprint' then
    insert into inbound_fingerprints
      values (ws, inbox, decode(p->'fingerprint'->>'hash', 'hex'), msg, (p->'fingerprint'->>'expires_at')::timestamptz)
      on conflict (workspace_id, inbox_id, fingerprint) do update set message_id = msg, expires_at = excluded.expires_at
      where inbound_fingerprints.expires_at <= at;
    if not found then
      select f.message_id into first_id from inbound_fingerprints f
        where f.workspace_id = ws and f.inbox_id = inbox and f.fingerprint = decode(p->'fingerprint'->>'hash', 'hex');
      return jsonb_build_object('outcome', 'repeated', 'message_id', first_id);
    end if;
  end if;

  for key in
    select hashtextextended(inbox || encode(h, 'hex'), 0) as lock, bool_or(mine) as mine
    from (select unnest(own) as h, true as mine union all select unnest(named), false) ids group by 1 order by 1
  loop
    if key.mine then perform pg_advisory_xact_lock(key.lock);
    else perform pg_advisory_xact_lock_shared(key.lock); end if;
  end loop;

  awaited := exists (select from unnest(own) h, lateral (select from awaited_ids a
    where a.workspace_id = ws and a.inbox_id = inbox and a.hash = h limit 1) known);
  related := cardinality(named) > 0 or exists (select from unnest(own) h, lateral (select from message_ids i
    where i.workspace_id = ws and i.inbox_id = inbox and i.hash = h limit 1) known);
  if awaited then
    perform pg_advisory_xact_lock(hashtextextended('threads:' || inbox, 0));
  elsif thread is not null or related then
    perform pg_advisory_xact_lock_shared(hashtextextended('threads:' || inbox, 0));
  end if;

  if thread is not null then
    select coalesce((select a.thread_id from thread_aliases a where a.workspace_id = ws and a.id = thread), thread) into thread;
  elsif related then
    select known.thread_id into thread from unnest(named || own) with ordinality n(hash, rank),
      lateral (select s.thread_id from message_ids i join messages s on s.workspace_id = ws and s.id = i.message_id
        where i.workspace_id = ws and i.inbox_id = inbox and i.hash = n.hash order by i.message_id limit 1) known
      order by n.rank limit 1;
  end if;
  if awaited then
    select array_agg(distinct a.thread_id) into waiting from unnest(own) h, lateral (select a.thread_id from awaited_ids a
      where a.workspace_id = ws and a.inbox_id = inbox and a.hash = h offset 0) a;
  end if;
  if waiting is not null then
    delete from awaited_ids where workspace_id = ws and inbox_id = inbox and hash = any(own);
    waiting := array(select t.id from threads t where t.workspace_id = ws and t.id = any(waiting || thread) order by t.created_at, t.id);
    thread := waiting[1];
    if cardinality(waiting) > 1 then perform merge_threads(ws, thread, waiting[2:]); end if;
  end if;

  if thread is not null then
    update threads t set message_count = t.message_count + 1, last_message_at = greatest(t.last_message_at, at),
      participants = (t.participants || array(select x from unnest(people) x where x <> all(t.participants)))[1:100]
      where t.workspace_id = ws and t.id = thread;
    if not found then thread := null; end if;
  end if;
  if thread is null then
    thread := p->>'new_thread_id';
    insert into threads values (ws, thread, inbox, m->>'subject', people, 1, at, at);
  end if;

  insert into messages
    select r.workspace_id, r.id, r.inbox_id, thread, r.direction, r.from_addr, r.from_name, r.to_addrs, r.cc_addrs, r.bcc_addrs,
      r.reply_to_addrs, r.envelope_from, r.envelope_to, r.subject, r.body_text, r.body_html, r.extracted_text, r.snippet,
      r.delivery_status, r.message_id_header, r.in_reply_to, r.reference_ids, r.provider_message_id, r.client_id, r.dropped,
      r.authentication, r.auto_submitted, r.has_attachments, r.size_bytes, r.created_at,
      setweight(to_tsvector('simple', left(r.subject, 10000)), 'A')
        || setweight(to_tsvector('simple', left(concat_ws(' ', r.from_name, r.from_addr), 1000)), 'B')
        || setweight(to_tsvector('simple', left(coalesce(r.body_text, ''), (p->>'search_characters')::int)), 'D')
        || array_to_tsvector(array(select jsonb_array_elements_text(p->'terms'))), r.api_key_id, r.request_id
    from jsonb_populate_record(null::messages, m) r;
  insert into message_terms
    select ws, t, msg from jsonb_array_elements_text(p->'terms') t
    union all select ws, subject_term(lexeme), msg from unnest(to_tsvector('simple', left(m->>'subject', 10000)))
      where length(lexeme) <= 255;
  if original is not null then insert into originals values (ws, msg, original); end if;
  insert into message_ids select ws, inbox, h, msg from unnest(own) h on conflict do nothing;
  if cardinality(named) > 0 then
    insert into awaited_ids select ws, inbox, n.h, thread from unnest(named) with ordinality n(h, rank)
      where (select true from message_ids i where i.workspace_id = ws and i.inbox_id = inbox and i.hash = n.h limit 1) is null
      order by n.rank limit 20 on conflict do nothing;
  end if;
  if p ? 'recipients' then
    insert into message_recipients select * from jsonb_populate_recordset(null::message_recipients, p->'recipients');
  end if;
  if p ? 'attachments' then
    insert into attachments select * from jsonb_populate_recordset(null::attachments, p->'attachments');
  end if;
  if p ? 'usage' then
    insert into usage_ledger (workspace_id, kind, amount, at)
      select ws, u->>'kind', (u->>'amount')::bigint, at from jsonb_array_elements(p->'usage') u;
  end if;
  insert into events (workspace_id, id, event, inbox_id, thread_id, message_id, extra, created_at)
    select ws, e->>'id', e->>'event', inbox, thread, msg, e->'extra', at from jsonb_array_elements(coalesce(p->'events', '[]')) e;
  return jsonb_build_object('outcome', 'stored', 'message_id', msg, 'thread_id', thread);
end $$`;
