/*
 * The indexes of nearest codes, on databases with pgvector: one for each large workspace, so that the others pay nothing for them and none
 * has to pass by the messages of others. They are no part of the schema. Their names say what they hold.
 */
import { type RawBuilder, sql } from 'kysely';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';

/** An extension that can be used: the schema of its operators, and its version. */
export interface VectorExtension {
  schema: string;
  version: string;
}

/** An index of the codes of a workspace in a vector space. */
export interface VectorIndex {
  name: string;
  workspaceId: string;
  space: number;
  /** `unfinished`: its build was cut off. */
  state: 'ready' | 'building' | 'unfinished';
}

const prefix = 'search_codes_near_';

/** Returns pgvector as the database has it; null if it has none, or one that cannot go on where a filter leaves too little (before 0.8). */
export async function findExtension(deps: Pick<Deps, 'db'>): Promise<VectorExtension | null> {
  const { rows } = await sql<VectorExtension>`select n.nspname as schema, e.extversion as version
    from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'vector'`.execute(
    acrossWorkspaces(deps, 'an extension is of the whole database'),
  );
  const [found] = rows;
  const [major = 0, minor = 0] = found?.version.split('.').map(Number) ?? [];
  return found && (major > 0 || minor >= 8) ? found : null;
}

/** Returns the name of an index. */
export function indexName(workspaceId: string, space: number): string {
  return `${prefix}${workspaceId}_${(space >>> 0).toString(16)}`;
}

/** Returns the indexes that there are, or those of one name. */
export async function readVectorIndexes(
  deps: Pick<Deps, 'db'>,
  name: string | null = null,
): Promise<VectorIndex[]> {
  const { rows } = await sql<Pick<VectorIndex, 'name' | 'state'>>`select c.relname as name, case
      when i.indisvalid then 'ready'
      when exists (select from pg_stat_progress_create_index p where p.index_relid = i.indexrelid) then 'building'
      else 'unfinished' end as state
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'search_codes'::regclass and starts_with(c.relname, ${prefix})
      and c.relname = coalesce(${name}::text, c.relname) order by 1`.execute(
    acrossWorkspaces(deps, 'they are read from the catalog'),
  );
  return rows.map((row) => {
    const [space = '', ...id] = row.name.slice(prefix.length).split('_').reverse();
    return { ...row, workspaceId: id.reverse().join('_'), space: Number.parseInt(space, 16) | 0 };
  });
}

/** Returns the condition on codes that an index has, as text, because the planner has to see it in a query. */
export function ofIndex(workspaceId: string, space: number): RawBuilder<unknown> {
  return sql`workspace_id = ${sql.lit(workspaceId)} and space = ${sql.lit(space)}`;
}

/** Returns the operator that says in how many bits two codes differ, by which the index is ordered. */
export function differenceOperator({ schema }: VectorExtension): RawBuilder<unknown> {
  return sql`operator(${sql.id(schema)}.<~>)`;
}
