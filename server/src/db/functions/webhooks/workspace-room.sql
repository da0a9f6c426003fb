-- Returns how many more deliveries a workspace may have under way: `workspace_share` of the free places and its own together, less its
-- own, which `busy_workspaces` counts. A process that names no share has no such limit. It is one expression, which Postgres inlines into
-- the statement instead of calling it.
create or replace function workspace_room(p jsonb, workspace text) returns int language sql immutable as $$
  select ceil(coalesce((p->>'workspace_share')::float, 1) * ((p->>'free')::int + coalesce((p->'busy_workspaces'->>workspace)::int, 0)) - coalesce((p->'busy_workspaces'->>workspace)::int, 0))::int
$$;
