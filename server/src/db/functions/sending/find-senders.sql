-- Returns everything that is needed before messages are composed, for each of some requests in their order: the inbox and its domain, the
-- message that was sent before with the `client_id`, which addresses are suppressed, the outbound rules that match, the usage of the
-- plan, the conversations with as many answers as are allowed (null if the inbox has received nothing since), and what people have set.
--
-- The `controls` are the `version`, as `sending_version` returns it, `paused`, the state of the `key` that sends (null for a person), the
-- `policies` that hold, each with its `level`, its `subject` and its lines, and the `disclosure`. All of it stays the same for as long as
-- the version does, but for a pause that has ended.
--
-- It is a function for its settings, without which Postgres plans a prepared statement of this size anew for many calls. It is one
-- statement for all requests, because to begin a statement takes as long as a look-up, and to call another function as long as three.
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
      where i.workspace_id = r.workspace_id and i.id = r.inbox_id and i.deleted_at is null),
    case when r.claims->'all' <> '[]' then (select c.message_id from client_ids c where c.workspace_id = r.workspace_id
      and c.client_id = any(array(select jsonb_array_elements_text(r.claims->'all'))) and c.expires_at > r.at::timestamptz
      and (r.inbox_ids is null or c.client_id = r.claims->>'own' or exists (select from messages m
        where m.workspace_id = c.workspace_id and m.id = c.message_id and m.inbox_id = any(r.inbox_ids)))
      order by c.client_id = r.claims->>'own' desc limit 1) end,
    array(select s.address from suppressions s where s.workspace_id = r.workspace_id and s.address = any(r.addresses)),
    (select jsonb_agg(jsonb_build_object('id', u.id, 'kind', u.kind, 'pattern', u.pattern)) from rules u
      where u.workspace_id = r.workspace_id and u.direction <> 'inbound' and u.pattern = any(r.patterns)),
    case when r.month is not null then usage_of(r.workspace_id, r.month::date) end,
    -- The index has whether there are attachments before the id.
    case when exists (select from messages m where m.workspace_id = r.workspace_id and m.inbox_id = r.inbox_id
        and m.direction = 'inbound' and m.has_attachments in (false, true) and m.id >= r.since)
      then answers_at_limit(r.workspace_id, r.inbox_id, r.thread_id, array(select decode(jsonb_array_elements_text(r.named), 'hex')),
        r.addresses, r.since, r.most) end,
    jsonb_build_object(
      'version', (select i.sending_version from instance i) || '.' || w.sending_version,
      -- Usually nothing is paused.
      'paused', case when exists (select from pauses p where p.level in ('server', 'workspace', 'inbox', 'key')
          and p.subject_id = any(array['', r.workspace_id, r.inbox_id] || r.keys))
        then coalesce(pause_of(r.workspace_id, r.inbox_id, r.keys[1]), pause_of(r.workspace_id, r.inbox_id, r.keys[2])) end,
      'key', (select jsonb_build_object('revoked', k.revoked_at is not null, 'expires_at', k.expires_at, 'read_only', k.read_only,
        'out_of_scope', coalesce(r.inbox_id <> all(k.inbox_ids), false)) from api_keys k where k.id = r.actor),
      'policies', to_jsonb(array(select jsonb_build_object('level', q.level, 'subject', q.subject_id, 'lines', q.lines) from policies q
        where q.workspace_id = r.workspace_id and q.level in ('workspace', 'inbox', 'key')
          and q.subject_id = any(array[r.workspace_id, r.inbox_id] || r.keys)
          and q.level = case q.subject_id when r.workspace_id then 'workspace' when r.inbox_id then 'inbox' else 'key' end)),
      'disclosure', w.disclosure)
    from rows from (jsonb_to_recordset(requests) as (workspace_id text, inbox_id text, inbox_ids text[], claims jsonb, addresses text[],
        patterns text[], at text, month text, thread_id text, named jsonb, since text, most int, actor text, keys text[]))
      with ordinality r
    left join lateral (select w.sending_version, w.disclosure from workspaces w where w.id = r.workspace_id offset 0) w on true
    order by r.ordinality;
end $$;
