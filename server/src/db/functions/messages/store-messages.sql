-- Stores a batch of mails of either direction with everything that belongs to them, in one transaction and one round trip (six round
-- trips for each mail cost three quarters of the intake rate). Returns `{outcome, message_id, thread_id}` for each, in their order. The
-- outcome is `stored`, `repeated` (a redelivery, or a `client_id` in use: the ids are those of the first), or `inbox_gone`.
--
-- Bodies are lists of their own, because reading them as JSON and passing that on would be a twentieth of the cost of a mail. Originals
-- are also a list, with null for those that are kept elsewhere.
create or replace function store_messages(ps jsonb, body_texts text[], body_htmls text[], extracted_texts text[], raws bytea[])
returns setof jsonb rows 10 language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
  set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  ids text[] := array(select p->'message'->>'id' from jsonb_array_elements(ps) with ordinality e(p, n) order by n);
  thread_of text[];
  answer_of jsonb[] := array_fill(null::jsonb, array[cardinality(ids)]);
  begun int[];
  next record;
begin
  -- Locks, always in this order, so that two calls cannot deadlock while they settle mails that begin threads. Calls that settle
  -- mails one by one can deadlock; the caller then repeats them mail by mail.
  -- The inboxes, shared, which their deletion takes exclusively.
  perform pg_advisory_xact_lock_shared(lock) from (
    select distinct lock_key('inbox', p->'message'->>'inbox_id') as lock
    from jsonb_array_elements(ps) p order by 1) locks;
  -- Ids of all mails: a mail locks its own exclusively and those that it names shared, in one order, so that a mail and the one that it
  -- waits for do not miss each other while both are uncommitted. Of those that it names the first 100, or a few mails would fill the
  -- table of locks.
  perform case when mine then pg_advisory_xact_lock(lock) else pg_advisory_xact_lock_shared(lock) end from (
    select lock_key('message id', (p->'message'->>'inbox_id') || h) as lock, bool_or(mine) as mine
    from jsonb_array_elements(ps) p, lateral (
      select h, true as mine from jsonb_array_elements_text(p->'own_ids') h
      union all select h, false from jsonb_array_elements_text(p->'candidates') with ordinality c(h, rank) where rank <= 100) named
    group by 1 order by 1) locks;

  -- A mail begins a thread that names no other, and that no mail before it names. Those are settled together. Each id is looked up by a
  -- query of its own (lateral, with a limit): joined as a set, a plan that was made while the tables were small reads all ids of the
  -- inbox for every mail, and goes on doing so until the next ANALYZE.
  begun := array(
    select n from (
      select n, ws, inbox, mine, is_unrelated, decode(h, 'hex') as own,
        min(n) over (partition by inbox, h) as first_of_id, min(n) over (partition by claim) as first_of_claim
      from (
        select n::int, p->'message'->>'workspace_id' as ws, p->'message'->>'inbox_id' as inbox, h, mine,
          p->>'thread_id' is null and p->'candidates' = '[]' and jsonb_array_length(p->'own_ids') = 1
            and not p ?& '{client,fingerprint}' as is_unrelated,
          coalesce((p->'message'->>'inbox_id') || (p->'fingerprint'->>'hash'), p->'client'->>'client_id', n::text) as claim
        from jsonb_array_elements(ps) with ordinality e(p, n), lateral (
          select h, true as mine from jsonb_array_elements_text(p->'own_ids') h
          union all select h, false from jsonb_array_elements_text(p->'candidates') h) named
        offset 0) named) firsts
    where mine and is_unrelated and first_of_id = n and first_of_claim = n
      and (select true from inboxes i where i.workspace_id = ws and i.id = inbox and i.deleted_at is null)
      and (select true from awaited_ids a where a.workspace_id = ws and a.inbox_id = inbox and a.hash = own limit 1) is null
      and (select true from message_ids i where i.workspace_id = ws and i.inbox_id = inbox and i.hash = own limit 1) is null);
  -- Of those, redeliveries and repeated sends are left for settle_message, which tells what they repeat.
  with item as materialized (
    select n::int, p, p->'message' as m from jsonb_array_elements(ps) with ordinality e(p, n) where n = any(begun)),
  fingerprints as (
    insert into inbound_fingerprints (workspace_id, inbox_id, fingerprint, message_id, expires_at)
      select m->>'workspace_id', m->>'inbox_id', decode(p->'fingerprint'->>'hash', 'hex'), m->>'id',
        (p->'fingerprint'->>'expires_at')::timestamptz
      from item where p ? 'fingerprint' order by 1, 2, 3 on conflict do nothing returning message_id),
  clients as (
    insert into client_ids (workspace_id, client_id, message_id, request_hash, expires_at)
      select m->>'workspace_id', p->'client'->>'client_id', m->>'id', decode(p->'client'->>'request_hash', 'hex'),
        (p->'client'->>'expires_at')::timestamptz
      from item where p ? 'client' order by 1, 2 on conflict do nothing returning message_id)
  select coalesce(array_agg(n), '{}') into begun from item
    where not p ?| '{client,fingerprint}'
      or m->>'id' in (select message_id from fingerprints union all select message_id from clients);
  with item as materialized (
    select p, p->'message' as m, (p->'message'->>'created_at')::timestamptz as at
    from jsonb_array_elements(ps) with ordinality e(p, n) where n = any(begun)),
  thread as (
    insert into threads (workspace_id, id, inbox_id, subject, participants, message_count, last_message_at, created_at, unread_count)
      select m->>'workspace_id', p->>'new_thread_id', m->>'inbox_id', m->>'subject',
        array(select jsonb_array_elements_text(p->'participants')), 1, at, at, (m->>'direction' = 'inbound')::int from item)
  insert into message_ids (workspace_id, inbox_id, hash, message_id)
    select m->>'workspace_id', m->>'inbox_id', decode(p->'own_ids'->>0, 'hex'), m->>'id' from item;
  thread_of := array(select case when n = any(begun) then p->>'new_thread_id' end
    from jsonb_array_elements(ps) with ordinality e(p, n) order by n);

  -- The others are settled one by one, in their order. A later one may have merged the thread of one before it.
  if cardinality(begun) < cardinality(ids) then
    for next in select n, p from jsonb_array_elements(ps) with ordinality e(p, n) where n <> all(begun) order by n loop
      answer_of[next.n] := settle_message(next.p, ids, thread_of);
      if answer_of[next.n]->>'outcome' = 'stored' then thread_of[next.n] := answer_of[next.n]->>'thread_id'; end if;
    end loop;
    thread_of := array(select coalesce((select a.thread_id from thread_aliases a
        where a.workspace_id = p->'message'->>'workspace_id' and a.id = thread_of[n]), thread_of[n])
      from jsonb_array_elements(ps) with ordinality e(p, n) order by n);
  end if;

  -- Everything else is stored with one statement for each table.
  with stored as (
    insert into messages (workspace_id, id, inbox_id, thread_id, direction, from_addr, from_name, to_addrs, cc_addrs, bcc_addrs,
      reply_to_addrs, envelope_from, envelope_to, subject, body_text, body_html, extracted_text, snippet, delivery_status,
      message_id_header, in_reply_to, reference_ids, thread_index, provider_message_id, client_id, dropped, authentication, auto_submitted, hidden_text,
      has_attachments, size_bytes, created_at, actor_id, writer_id, request_id, cut_fields, metadata, is_read, terms, traceparent)
    select r.workspace_id, r.id, r.inbox_id, thread_of[n], r.direction, r.from_addr, r.from_name, r.to_addrs, r.cc_addrs,
      r.bcc_addrs, r.reply_to_addrs, r.envelope_from, r.envelope_to, r.subject, body_texts[n], body_htmls[n], extracted_texts[n],
      r.snippet, r.delivery_status, r.message_id_header, r.in_reply_to, r.reference_ids, r.thread_index, r.provider_message_id, r.client_id,
      r.dropped, r.authentication, r.auto_submitted or coalesce((answer_of[n]->>'returned')::boolean, false), coalesce(r.hidden_text, false), r.has_attachments, r.size_bytes, r.created_at,
      r.actor_id, r.writer_id, r.request_id, coalesce(r.cut_fields, '{}'), coalesce(r.metadata, '{}'), r.direction = 'outbound',
      -- Words of over 255 characters are left out, because an index entry might have no room for one.
      array(select jsonb_array_elements_text(p->'terms') union all select subject_term(lexeme)
        from unnest(to_tsvector('simple', left(r.subject, 10000))) where length(lexeme) <= 255),
      r.traceparent
    from jsonb_array_elements(ps) with ordinality e(p, n), jsonb_populate_record(null::messages, p->'message') r
    where thread_of[n] is not null
    returning workspace_id, id, terms),
  pending as (insert into search_pending (workspace_id, message_id) select workspace_id, id from stored)
  insert into message_terms (workspace_id, term, message_id) select workspace_id, unnest(terms), id from stored;
  with item as materialized (
    select n, p, p->'message'->>'workspace_id' as ws, p->'message'->>'inbox_id' as inbox, ids[n] as msg, thread_of[n] as thread,
      (p->'message'->>'created_at')::timestamptz as at
    from jsonb_array_elements(ps) with ordinality e(p, n) where thread_of[n] is not null),
  original as (
    insert into originals (workspace_id, message_id, raw) select ws, msg, raws[n] from item where raws[n] is not null),
  unparsed as (
    insert into unparsed_messages (workspace_id, message_id, remote_address, helo, due_at)
      select ws, msg, p->'unparsed'->>'remote_address', p->'unparsed'->>'helo', at from item where p ? 'unparsed'),
  recipient as (
    insert into message_recipients (workspace_id, message_id, address, inbox_id, kind, position, status, detail, sandboxed, provider_message_id,
        attempts, due_at, expires_at, updated_at)
      select r.workspace_id, r.message_id, r.address, r.inbox_id, r.kind, r.position, r.status, r.detail, r.sandboxed, r.provider_message_id,
        r.attempts, r.due_at, r.expires_at, r.updated_at from item, jsonb_populate_recordset(null::message_recipients, p->'recipients') r),
  attachment as (
    insert into attachments (workspace_id, id, inbox_id, message_id, position, filename, mime_type, size_bytes, content_id, inline)
      select a.workspace_id, a.id, a.inbox_id, a.message_id, a.position, a.filename, a.mime_type, a.size_bytes, a.content_id, a.inline
      from item, jsonb_populate_recordset(null::attachments, p->'attachments') a),
  usage as (
    -- One entry for each workspace, kind and day, because every mail has some.
    insert into usage_ledger (workspace_id, kind, amount, at)
      select ws, kind, sum(amount), min(at) from (
        select ws, u->>'kind' as kind, (u->>'amount')::bigint as amount, at from item, jsonb_array_elements(p->'usage') u
        union all
        select ws, 'mail_bytes', mail_bytes((p->'message'->>'size_bytes')::int, body_texts[n], body_htmls[n], extracted_texts[n]), at
          from item) used
        group by ws, kind, date_trunc('day', at at time zone 'utc'))
  insert into events (workspace_id, id, event, inbox_id, thread_id, message_id, extra, created_at)
    select ws, e->>'id', e->>'event', inbox, thread, msg, e->'extra', at
      from item, jsonb_array_elements(p->'events') with ordinality events(e, nth) order by n, nth;

  return query select case when thread_of[n] is null then answer_of[n]
      else jsonb_build_object('outcome', 'stored', 'message_id', ids[n], 'thread_id', thread_of[n]) end
    from generate_series(1, cardinality(ids)) n order by n;
end $$;
