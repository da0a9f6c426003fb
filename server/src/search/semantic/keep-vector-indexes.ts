import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { bucketMessages } from '../index/choose-bucket.ts';
import {
  findExtension,
  indexName,
  ofIndex,
  readVectorIndexes,
  type VectorExtension,
  type VectorIndex,
} from './vector-indexes.ts';

/** How many codes of a workspace are compared one by one. Those of a larger one have an index, if the database can. */
export const comparedExactly = 100_000;
/** Each index is one more that the planner and every new message look at. */
const indexesMax = 16;
/** The graph of a million codes is built in about 0.8 GB. Beyond its memory the build goes on, slower. */
const buildMemory = '512MB';

type KeepDeps = Pick<Deps, 'db' | 'database'>;

/**
 * Has the database load pgvector, which needs a privilege unless it is there already. Returns why it could not; null if it could.
 */
export async function loadExtension(deps: KeepDeps): Promise<unknown> {
  const db = acrossWorkspaces(deps, 'an extension is of the whole database');
  try {
    await sql`create extension if not exists vector`.execute(db);
    return null;
  } catch (error) {
    return error;
  }
}

/**
 * Does the next thing that the indexes of nearest codes need: drops one that is unfinished or of no use any more, or builds one for a
 * workspace with more than `codesMin` codes. Writers go on meanwhile. `space` is null if no workspace shall have one. Returns whether there
 * may be more to do.
 */
export async function keepVectorIndexes(
  deps: KeepDeps,
  space: number | null,
  stopped: AbortSignal,
  codesMin = comparedExactly,
): Promise<boolean> {
  const db = acrossWorkspaces(deps, 'one process indexes the codes of all workspaces');
  const extension = await findExtension(deps);
  const indexes = await readVectorIndexes(deps);
  if (!extension && indexes.length === 0) return false;
  // A build of another process, or of one that was killed: only one runs at a time.
  if (indexes.some(({ state }) => state === 'building')) return false;
  const large = space === null || !extension ? [] : await largestWorkspaces(deps, space, codesMin);
  const isUsed = (index: VectorIndex) =>
    index.state === 'ready' && index.space === space && large.some(({ id }) => id === index.workspaceId);
  const useless = indexes.find((index) => !isUsed(index));
  if (useless) {
    await sql`drop index concurrently if exists ${sql.id(useless.name)}`.execute(db);
    return true;
  }
  const next = large.find(
    ({ id, codes }) => codes > codesMin && !indexes.some((index) => index.workspaceId === id),
  );
  if (!next || !extension || space === null || indexes.length >= indexesMax) return false;
  await build(db, extension, next.id, space, stopped);
  return true;
}

/** Returns the workspaces whose messages all have vectors of the space, and that have at least half of `codesMin`, largest first. */
async function largestWorkspaces(
  deps: KeepDeps,
  space: number,
  codesMin: number,
): Promise<{ id: string; codes: number }[]> {
  const each = bucketMessages;
  const { rows } = await sql<{ id: string; codes: number }>`
    select b.workspace_id as id, count(*) * ${each}::int as codes
      from search_buckets b join embedding_progress p on p.workspace_id = b.workspace_id
      where p.space = ${space}::int and p.before is null
      group by 1 having count(*) * ${each}::int > ${codesMin}::int / 2
      order by 2 desc`.execute(acrossWorkspaces(deps, 'one process indexes the codes of all workspaces'));
  return rows;
}

/** Builds an index on a connection of its own. If it is stopped, or the process ends, the index stays unfinished, and is dropped later. */
async function build(
  db: Db,
  { schema }: VectorExtension,
  workspaceId: string,
  space: number,
  stopped: AbortSignal,
): Promise<void> {
  const name = sql.id(indexName(workspaceId, space));
  await db.connection().execute(async (own) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid,
      set_config('maintenance_work_mem', ${buildMemory}, false), set_config('statement_timeout', '0', false),
      -- The memory that workers share is 64 MB in a container.
      set_config('max_parallel_maintenance_workers', '0', false)`.execute(own);
    const cancel = () => void sql`select pg_cancel_backend(${rows[0]?.pid}::int)`.execute(db).catch(() => {});
    stopped.addEventListener('abort', cancel);
    try {
      stopped.throwIfAborted();
      await sql`create index concurrently if not exists ${name} on search_codes
        using hnsw (code ${sql.id(schema)}.bit_hamming_ops) where ${ofIndex(workspaceId, space)}`.execute(
        own,
      );
    } finally {
      stopped.removeEventListener('abort', cancel);
      for (const setting of ['maintenance_work_mem', 'statement_timeout', 'max_parallel_maintenance_workers'])
        await sql`reset ${sql.id(setting)}`.execute(own).catch(() => {});
    }
  });
}
