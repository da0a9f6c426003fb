-- Returns what people have set for a send: `version`, `paused`, the state of the `key` that sends (null for a person), the `policies`
-- that hold, each with its `level`, its `subject` and its lines, and the `disclosure`. All of it stays the same for as long as the
-- version does, but for a pause that has ended. It runs with the settings of `find_senders`, by which alone the server calls it.
create or replace function sending_controls(p jsonb) returns jsonb language plpgsql stable as $$
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
end $$;
