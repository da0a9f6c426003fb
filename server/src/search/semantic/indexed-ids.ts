import { type RawBuilder, sql } from 'kysely';
import { acrossWorkspaces, type RowsContext } from '../../db/scoped.ts';
import {
  differenceOperator,
  findExtension,
  indexName,
  ofIndex,
  readVectorIndexes,
} from './vector-indexes.ts';

/**
 * How far a search follows the graph of an index: nearest codes at a time, and at most, where few pass; and how much memory, in work_mem.
 */
const following = {
  'hnsw.iterative_scan': 'strict_order',
  'hnsw.ef_search': '400',
  'hnsw.max_scan_tuples': '100000',
  'hnsw.scan_mem_multiplier': '8',
};

/** What is looked for by an index. */
export interface IndexedSearch {
  space: number;
  /** The digits of the code, as a bit string. */
  code: RawBuilder<unknown>;
  /** Conditions on a row `c` of `search_codes`. */
  isInScope: RawBuilder<unknown>;
  /** A join that leaves out messages that do not pass. */
  passing: RawBuilder<unknown>;
}

/**
 * Returns the ids of the `count` messages with the nearest codes, by the index of the workspace. Returns null if there is none, if it finds
 * fewer, because too few messages near the text pass the conditions, or outside a transaction, to which its settings belong.
 */
export async function indexedIds(
  ctx: RowsContext,
  { space, code, isInScope, passing }: IndexedSearch,
  count: number,
): Promise<string[] | null> {
  const db = acrossWorkspaces(ctx, 'the rows are those of the workspace');
  const [index] = await readVectorIndexes(ctx, indexName(ctx.workspaceId, space));
  const extension = index?.state === 'ready' ? await findExtension(ctx) : null;
  if (!extension) return null;
  const difference = differenceOperator(extension);
  // The operator has the extension loaded, which a new connection has not done, so that its settings are known and checked.
  const settings = Object.entries({ ...following, enable_sort: 'off' }).map(
    ([name, value]) => sql`set_config(${name}, ${value}, true)`,
  );
  await sql`select '0'::bit(1) ${difference} '1'::bit(1), ${sql.join(settings)}`.execute(db);
  const { rows: shown } = await sql<{
    setting: string;
  }>`select current_setting('hnsw.iterative_scan') as setting`.execute(db);
  if (shown[0]?.setting !== following['hnsw.iterative_scan']) return null;
  const { rows } = await sql<{ id: string }>`select c.message_id as id from (
      select c.message_id from search_codes c where ${ofIndex(ctx.workspaceId, space)} and ${isInScope}
        order by c.code ${difference} ${code} offset 0) c ${passing} limit ${count}`.execute(db);
  await sql`set local enable_sort = on`.execute(db);
  return rows.length < count ? null : rows.map(({ id }) => id);
}
