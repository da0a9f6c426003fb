-- Returns the version of everything that decides about sends of a workspace.
create or replace function sending_version(ws text) returns text language plpgsql stable
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off
as $$
begin
  return ((select i.sending_version from instance i) || '.' || (select w.sending_version from workspaces w where w.id = ws));
end $$;
