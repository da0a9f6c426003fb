-- Stores a batch of sends by `store_messages`, and returns what that returns for each, or the outcome `undecided`: nothing is stored of a
-- send if what people allow has changed since it was decided, or a cap was reached. What is stored counts for its caps, and waits for
-- people if they have to approve it.
create or replace function store_sends(ps jsonb, body_texts text[], body_htmls text[], extracted_texts text[], raws bytea[])
returns setof jsonb rows 10 language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
  set enable_hashjoin = off set enable_mergejoin = off
as $$
declare
  undecided int[] := require_decided(ps);
  places int[];
  answers jsonb[];
begin
  if cardinality(undecided) > 0 then
    select array_agg(n order by n), coalesce(jsonb_agg(p order by n), '[]'), array_agg(body_texts[n] order by n),
        array_agg(body_htmls[n] order by n), array_agg(extracted_texts[n] order by n), array_agg(raws[n] order by n)
      into places, ps, body_texts, body_htmls, extracted_texts, raws
      from jsonb_array_elements(ps) with ordinality e(p, n) where n <> all(undecided);
  end if;
  answers := array(select answer from store_messages(ps, body_texts, body_htmls, extracted_texts, raws) with ordinality stored(answer, n)
    order by n);
  if ps @? '$[*].approval' then
    insert into approvals (workspace_id, message_id, inbox_id, state, content_hash, held_at, expires_at)
      select p->'message'->>'workspace_id', answers[n]->>'message_id', p->'message'->>'inbox_id', 'held',
          decode(p->'approval'->>'hash', 'hex'), (p->'message'->>'created_at')::timestamptz, (p->'approval'->>'expires_at')::timestamptz
        from jsonb_array_elements(ps) with ordinality e(p, n) where p ? 'approval' and answers[n]->>'outcome' = 'stored';
  end if;
  if ps @? '$[*].counted' then
    insert into send_counts (workspace_id, subject, slot, message_id, amount)
      select p->'message'->>'workspace_id', subject_of_thread(s->>0, answers[n]->>'thread_id'), (p->'counted'->>'slot')::timestamptz,
          min(answers[n]->>'message_id'), sum((s->>1)::int)
        from jsonb_array_elements(ps) with ordinality e(p, n), jsonb_array_elements(p->'counted'->'of') s
        where answers[n]->>'outcome' = 'stored' group by 1, 2, 3;
  end if;
  if cardinality(undecided) > 0 then
    return query select coalesce(answers[array_position(places, n)], '{"outcome": "undecided"}')
      from generate_series(1, cardinality(undecided) + coalesce(cardinality(places), 0)) n order by n;
  else
    return query select unnest(answers);
  end if;
end $$;
