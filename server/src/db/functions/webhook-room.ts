/** Returns how many more deliveries of one lane a process may take on. A failing webhook gets few at a time. */
export const webhookRoom = /* sql */ `
create or replace function webhook_room(p jsonb, webhook text, lane text, failing boolean) returns int language sql immutable as $$
  select case when failing then (p->>'failing_max')::int else (p->>(lane || '_max'))::int end
    - coalesce((p->'busy'->webhook->>lane)::int, 0)
$$`;

const own = `coalesce((p->'busy_workspaces'->>workspace)::int, 0)`;

/**
 * Returns how many more deliveries a workspace may have under way: `workspace_share` of the free places and its own together, less its own,
 * which `busy_workspaces` counts. A process that names no share has no such limit. It is one expression, which Postgres inlines into the
 * statement instead of calling it.
 */
export const workspaceRoom = /* sql */ `
create or replace function workspace_room(p jsonb, workspace text) returns int language sql immutable as $$
  select ceil(coalesce((p->>'workspace_share')::float, 1) * ((p->>'free')::int + ${own}) - ${own})::int
$$`;
