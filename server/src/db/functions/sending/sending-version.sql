-- Returns the version of everything that decides about sends of a workspace. It runs with the settings of the function that calls it.
create or replace function sending_version(ws text) returns text language plpgsql stable as $$
begin
  return ((select i.sending_version from instance i) || '.' || (select w.sending_version from workspaces w where w.id = ws));
end $$;
