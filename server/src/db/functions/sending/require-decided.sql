-- Returns the places of the sends that are undecided, in no order: what people allow has changed since they were decided, or a cap was
-- reached. Until the transaction ends, what people allow stays as it is, and other sends near the same caps wait. It runs with the settings
-- of `store_sends`, which calls it before anything else.
create or replace function require_decided(ps jsonb) returns int[] language plpgsql as $$
declare
  undecided int[];
begin
  -- First, because a change of what may be sent waits for sends and holds no other lock.
  perform pg_advisory_xact_lock_shared(lock_key('sending', ws)) from (
    select '' as ws union select p->'message'->>'workspace_id' from jsonb_array_elements(ps) p order by 1) w;
  undecided := array(select n from jsonb_array_elements(ps) with ordinality e(p, n)
    where p->>'sending_version' <> sending_version(p->'message'->>'workspace_id'));
  if ps @? '$[*].near_caps' then
    -- Near a cap, sends take turns, and each sees those before it, also of its own batch.
    perform pg_advisory_xact_lock(lock) from (
      select distinct lock_key('cap', (p->'message'->>'workspace_id') || (c->>'subject')) as lock
      from jsonb_array_elements(ps) p, jsonb_array_elements(p->'near_caps') c order by 1) locks;
    undecided := undecided || array(
      select distinct n from (
        select n::int, ws, c->>'subject' as subject, (c->>'since')::timestamptz as since, (c->>'most')::int as most,
          sum((c->>'amount')::int) over (partition by ws, c->>'subject', c->>'window' order by n) as amount
        from jsonb_array_elements(ps) with ordinality e(p, n), lateral (select p->'message'->>'workspace_id' as ws) w,
          jsonb_array_elements(p->'near_caps') c where n <> all(undecided)) near
      where mails_since(ws, subject, since) + amount > most);
  end if;
  return undecided;
end $$;
