-- Settles one mail that may be related to others: whether it is stored, and in which thread. Returns `stored` with its thread and whether
-- it is the inbox's own mail that has come back, or `repeated` or `inbox_gone`. The batch's own messages are in `batch_ids` with their
-- threads in `batch_threads`, because they are not stored yet.
create or replace function settle_message(p jsonb, batch_ids text[], batch_threads text[]) returns jsonb language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
as $$
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
  borne boolean;
  related boolean;
  stray boolean;
  waiting text[];
  first_id text;
  returned boolean := false;
begin
  perform 1 from inboxes where workspace_id = ws and id = inbox and deleted_at is null;
  if not found then return jsonb_build_object('outcome', 'inbox_gone'); end if;

  if p ? 'client' then
    insert into client_ids (workspace_id, client_id, message_id, request_hash, expires_at)
      values (ws, p->'client'->>'client_id', msg, decode(p->'client'->>'request_hash', 'hex'), (p->'client'->>'expires_at')::timestamptz)
      on conflict (workspace_id, client_id) do update
        set message_id = msg, request_hash = excluded.request_hash, expires_at = excluded.expires_at
      where client_ids.expires_at <= at;
    if not found then
      select c.message_id into first_id from client_ids c where c.workspace_id = ws and c.client_id = p->'client'->>'client_id';
      return jsonb_build_object('outcome', 'repeated', 'message_id', first_id);
    end if;
  end if;
  if p ? 'fingerprint' then
    insert into inbound_fingerprints (workspace_id, inbox_id, fingerprint, message_id, expires_at)
      values (ws, inbox, decode(p->'fingerprint'->>'hash', 'hex'), msg, (p->'fingerprint'->>'expires_at')::timestamptz)
      on conflict (workspace_id, inbox_id, fingerprint) do update set message_id = msg, expires_at = excluded.expires_at
      where inbound_fingerprints.expires_at <= at;
    if not found then
      select f.message_id into first_id from inbound_fingerprints f
        where f.workspace_id = ws and f.inbox_id = inbox and f.fingerprint = decode(p->'fingerprint'->>'hash', 'hex');
      return jsonb_build_object('outcome', 'repeated', 'message_id', first_id);
    end if;
  end if;

  awaited := exists (select from unnest(own) h, lateral (select from awaited_ids a
    where a.workspace_id = ws and a.inbox_id = inbox and a.hash = h limit 1) known);
  -- A message that is sent and names others is related anyway.
  borne := (m->>'direction' = 'inbound' or cardinality(named) = 0) and exists (select from unnest(own) h,
    lateral (select from message_ids i where i.workspace_id = ws and i.inbox_id = inbox and i.hash = h limit 1) known);
  related := cardinality(named) > 0 or borne;
  -- A mail with the id of one that the inbox sent has come back, as by a list or a forwarder, unless it was sent to the inbox, too.
  if borne and m->>'direction' = 'inbound' then
    returned := exists (select from unnest(own) h, lateral (select i.message_id from message_ids i
        where i.workspace_id = ws and i.inbox_id = inbox and i.hash = h limit 100) i,
      lateral (select s.id from messages s where s.workspace_id = ws and s.id = i.message_id and s.direction = 'outbound' offset 0) s
      where not exists (select from message_recipients r where r.workspace_id = ws and r.message_id = s.id
        and r.address in (select lower(jsonb_array_elements_text(m->'envelope_to')))));
  end if;
  stray := thread is null and cardinality(named) > 0 and not exists (select from unnest(named || own) h,
    lateral (select from message_ids i where i.workspace_id = ws and i.inbox_id = inbox and i.hash = h limit 1) known);
  -- The strays of an inbox, which name nothing that is known, exclusively: of two that wait for one id the second finds the first.
  if stray then
    perform pg_advisory_xact_lock(lock_key('strays', inbox));
  end if;
  -- The threads of an inbox: shared by a mail that joins one, and exclusive for one that merges some, so that no thread vanishes between
  -- being found and being joined, and merges take turns.
  if awaited then
    perform pg_advisory_xact_lock(lock_key('threads', inbox));
  elsif thread is not null or related then
    perform pg_advisory_xact_lock_shared(lock_key('threads', inbox));
  end if;

  -- An explicit thread, else that of the first known id of candidates (In-Reply-To, then References from the right), else that of a
  -- mail with the same id, else the oldest that waits for an id of candidates, else a new one. Strangers may give all their mails one id, so
  -- an id of several threads leads to one in which the sender takes part, and a mail joins another with its own id in such a thread only.
  if thread is null and related then
    select known.thread_id into thread from (
      select h, rank, false as mine from unnest(named) with ordinality n(h, rank) union all select h, 1000, true from unnest(own) h) n,
      lateral (select b.thread_id from (
          select i.message_id, bearer.thread_id, min(bearer.thread_id) over () = max(bearer.thread_id) over () as is_only,
            m->>'direction' = 'outbound' or coalesce(bearer.direction = 'outbound', false) or coalesce((select m->>'from_addr' = any(t.participants)
              from threads t where t.workspace_id = ws and t.id = bearer.thread_id), true) as takes_part
          from (select i.message_id from message_ids i where i.workspace_id = ws and i.inbox_id = inbox and i.hash = n.h
              order by i.message_id limit 20) i,
            lateral (select coalesce(s.thread_id, batch_threads[array_position(batch_ids, i.message_id)]) as thread_id, s.direction
              from (select) one left join messages s on s.workspace_id = ws and s.id = i.message_id offset 0) bearer
          where bearer.thread_id is not null) b
        where b.takes_part or (b.is_only and not n.mine) order by b.takes_part desc, b.message_id limit 1) known
      order by n.rank limit 1;
  end if;
  if stray then
    select t.id into thread from unnest(named) h,
      lateral (select a.thread_id from awaited_ids a where a.workspace_id = ws and a.inbox_id = inbox and a.hash = h offset 0) a,
      lateral (select t.id, t.created_at from threads t where t.workspace_id = ws and t.id = a.thread_id offset 0) t
      order by t.created_at, t.id limit 1;
  end if;
  if thread is not null then
    select coalesce((select a.thread_id from thread_aliases a where a.workspace_id = ws and a.id = thread), thread) into thread;
  end if;
  -- The threads that waited for this mail merge into the oldest.
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
    update threads t set message_count = t.message_count + 1,
      unread_count = t.unread_count + (m->>'direction' = 'inbound')::int, last_message_at = greatest(t.last_message_at, at),
      participants = (t.participants || array(select x from unnest(people) x where x <> all(t.participants)))[1:100]
      where t.workspace_id = ws and t.id = thread;
    if not found then thread := null; end if;
  end if;
  if thread is null then
    thread := p->>'new_thread_id';
    insert into threads (workspace_id, id, inbox_id, subject, participants, message_count, last_message_at, created_at, unread_count)
      values (ws, thread, inbox, m->>'subject', people, 1, at, at, (m->>'direction' = 'inbound')::int);
  end if;

  insert into message_ids (workspace_id, inbox_id, hash, message_id) select ws, inbox, h, msg from unnest(own) h on conflict do nothing;
  if cardinality(named) > 0 then
    -- Ids that are unknown are remembered.
    insert into awaited_ids (workspace_id, inbox_id, hash, thread_id) select ws, inbox, n.h, thread from unnest(named) with ordinality n(h, rank)
      where (select true from message_ids i where i.workspace_id = ws and i.inbox_id = inbox and i.hash = n.h limit 1) is null
      order by n.rank limit 20 on conflict do nothing;
  end if;
  return jsonb_build_object('outcome', 'stored', 'message_id', msg, 'thread_id', thread, 'returned', returned);
end $$;
