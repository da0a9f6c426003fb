-- Returns everything that is needed before messages are composed, for each of some requests in their order: the inbox and its domain, the
-- message that was sent before with the `client_id`, which addresses are suppressed, the outbound rules that match, the usage of the
-- plan, the conversations with as many answers as are allowed, and what people have set.
--
-- It is a function for its settings, without which Postgres plans a prepared statement of this size anew for many calls. It is one
-- statement for all requests, because to begin a statement takes as long as a look-up.
create or replace function find_senders(requests jsonb) returns table (inbox jsonb, sent_before text, suppressed text[], rules jsonb, usage jsonb,
  full_conversations jsonb, controls jsonb) rows 3 language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
  set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
begin
  return query select
    (select jsonb_build_object('id', i.id, 'address', i.address, 'display_name', i.display_name, 'domain_id', i.domain_id,
        'domain', case when i.domain_id is not null then (
          select jsonb_build_object('id', d.id, 'hostname', d.hostname, 'status', d.status, 'verified_at', d.verified_at,
            'dkim_selector', d.dkim_selector) from domains d
          where d.workspace_id = i.workspace_id and d.id = i.domain_id) end) from inboxes i
      where i.workspace_id = ws and i.id = r->>'inbox_id' and i.deleted_at is null),
    (select c.message_id from client_ids c where c.workspace_id = ws
      and c.client_id = any(array(select jsonb_array_elements_text(r->'claims'->'all'))) and c.expires_at > (r->>'at')::timestamptz
      and (r->>'inbox_ids' is null or c.client_id = r->'claims'->>'own' or exists (select from messages m
        where m.workspace_id = c.workspace_id and m.id = c.message_id and r->'inbox_ids' ? m.inbox_id))
      order by c.client_id = r->'claims'->>'own' desc limit 1),
    array(select s.address from suppressions s where s.workspace_id = ws
      and s.address = any(array(select jsonb_array_elements_text(r->'addresses')))),
    (select jsonb_agg(jsonb_build_object('id', u.id, 'kind', u.kind, 'pattern', u.pattern)) from rules u
      where u.workspace_id = ws and u.direction <> 'inbound'
      and u.pattern = any(array(select jsonb_array_elements_text(r->'patterns')))),
    case when r->>'month' is not null then usage_of(ws, (r->>'month')::date) end,
    case when r->>'since' is not null then answers_at_limit(ws, r->>'inbox_id', r->>'thread_id',
      array(select decode(jsonb_array_elements_text(r->'named'), 'hex')), array(select jsonb_array_elements_text(r->'addresses')),
      r->>'since', (r->>'most')::int) end,
    sending_controls(r)
    from (select r, n, r->>'workspace_id' as ws from jsonb_array_elements(requests) with ordinality e(r, n) offset 0) asked order by n;
end $$;
