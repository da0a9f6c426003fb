import { Migration } from '@mikro-orm/migrations';

/** The share of a workspace as one expression, which Postgres puts into the statement that asks for it instead of calling a function. */
export class InlineWorkspaceRoom extends Migration {
  override up(): void {
    this.addSql(workspaceRoom);
  }
}

const own = `coalesce((p->'busy_workspaces'->>workspace)::int, 0)`;

const workspaceRoom = `
create or replace function workspace_room(p jsonb, workspace text) returns int language sql immutable as $$
  select ceil(coalesce((p->>'workspace_share')::float, 1) * ((p->>'free')::int + ${own}) - ${own})::int
$$`;
