-- Writes a batch of messages to the search index in one round trip, if `leader` still holds the lease. Returns the positions of the
-- messages that were written, or null without the lease. A message that was deleted, is locked, or was to be indexed again meanwhile is
-- left out.
--
-- The row of a message is locked while it is written. So its deletion either comes first, or finds all that was written.
--
-- New messages of workspaces that search by meaning then wait to be embedded. Older ones are embedded at their own pace
-- (`search/semantic/embedding-progress.ts`).
--
-- A backfill has no pending rows (`revisions` is null), and continues below `backfilled`. Messages that it could not lock become pending.
--
-- Words are passed once for each message that has them, if they are to be counted: with `adds`, if the caller knows that the vocabulary
-- has the word, and by how much its number grows; null if the caller does not know the word. Numbers are rough: a word that is frequent
-- already is counted rarely, and then by an eighth of its number, so that it costs no update for each message. For the first position of
-- each unknown word, its number is returned.
--
-- A vocabulary takes in 20,000 words and then 50 for each message on average, which mail that people write stays far below. Otherwise
-- mails of random words would take many times their own size.
create or replace function index_messages(leader text, wss text[], ids text[], revisions int[], are_new boolean[], buckets int[],
  vectors text[], word_messages int[], words text[], adds int[], variants text[], backfilled text,
  out indexed int[], out learned int[], out learned_n int[])
language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
as $$
declare
  written int[];
  full_ones text[];
begin
  perform 1 from leases where name = 'search' and holder = leader for share;
  if not found then return; end if;
  written := array(
    select e.n::int from unnest(wss, ids) with ordinality e(ws, id, n), lateral (
      select 1 from messages m where m.workspace_id = e.ws and m.id = e.id for key share skip locked) locked);
  if revisions is not null then
    with taken as (
      delete from search_pending p using unnest(written) n
      where p.workspace_id = wss[n] and p.message_id = ids[n] and p.revision = revisions[n] returning n)
    select coalesce(array_agg(n), '{}') into written from taken;
    insert into embedding_pending (workspace_id, message_id, is_live)
      select wss[n], ids[n], true from unnest(written) n
        where are_new[n] and exists (select from embedding_progress p where p.workspace_id = wss[n])
        order by 1, 2 on conflict do nothing;
  else
    insert into search_pending (workspace_id, message_id)
      select e.ws, e.id from unnest(wss, ids) with ordinality e(ws, id, n) where n <> all(written) on conflict do nothing;
    update search_workspaces set backfill_before = nullif(backfilled, '') where workspace_id = wss[1];
  end if;

  insert into search_messages (workspace_id, message_id, bucket, words)
    select wss[n], ids[n], buckets[n], vectors[n]::tsvector from unnest(written) n
    on conflict (workspace_id, message_id) do update set bucket = excluded.bucket, words = excluded.words;
  update search_buckets b set oldest = least(b.oldest, r.oldest), newest = greatest(b.newest, r.newest)
    from (select wss[n] as ws, buckets[n] as bucket, min(left(ids[n], 14)) as oldest, max(left(ids[n], 14)) || '~' as newest
      from unnest(written) n group by 1, 2 offset 0) r
    where b.workspace_id = r.ws and b.bucket = r.bucket;
  update search_workspaces w set in_newest = w.in_newest + case when w.newest_bucket = r.bucket then r.n else 0 end,
      in_oldest = w.in_oldest + case when w.oldest_bucket = r.bucket then r.n else 0 end
    from (select distinct on (ws) ws, bucket, n from (
      select wss[n] as ws, buckets[n] as bucket, count(*)::int as n from unnest(written) n where are_new[n] group by 1, 2) filled
      order by ws, abs(bucket) desc offset 0) r
    where w.workspace_id = r.ws;

  full_ones := array(
    select w.workspace_id from search_workspaces w where w.workspace_id = any(wss) and w.known_words
      >= 20000 + 50 * ((w.newest_bucket - w.oldest_bucket - 1)::bigint * 1024 + w.in_newest + w.in_oldest));
  with counted as (
    select wss[message] as ws, word, count(*)::int as seen, sum(add)::int as add, min(variant) as variant, min(n)::int as n
    from unnest(word_messages, words, adds, variants) with ordinality w(message, word, add, variant, n)
    where cardinality(written) = cardinality(ids) or message = any(written) group by 1, 2),
  known as materialized (
    select c.*, greatest(1, k.n / 8) as step, k.n as known_n from counted c left join lateral (
      select w.n from search_words w where w.workspace_id = c.ws and w.word = c.word offset 0) k on true),
  added as (
    insert into search_words (workspace_id, word, n, variants)
      select ws, word, coalesce(add, case when known_n is null then seen else greatest(seen, step) end), variant::int[]
      from known where (known_n is not null or ws <> all(full_ones)) and (add is not null or known_n is null or random() * step < seen)
      order by 1, 2
      on conflict (workspace_id, word) do update set n = search_words.n + excluded.n),
  grown as (
    update search_workspaces w set known_words = w.known_words + fresh.n
      from (select ws, count(*)::int as n from known where known_n is null and ws <> all(full_ones) group by 1 offset 0) fresh
      where w.workspace_id = fresh.ws)
  select coalesce(array_agg(n), '{}'), coalesce(array_agg(coalesce(known_n, 0) + seen), '{}') into learned, learned_n
    from known where add is null;
  indexed := written;
end $$;
