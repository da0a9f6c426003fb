import { sql } from 'kysely';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import type { ReadStatus } from './file-text.ts';

/** More files that wait are not counted, which would take longer than the figure is worth. */
const pendingMax = 100_000;

/** Returns how many files wait to be read, at most 100,000. */
export async function countPending(deps: Pick<Deps, 'db'>): Promise<number> {
  const db = acrossWorkspaces(deps, 'a figure of the server');
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (
    select from attachment_texts where status = 'pending' limit ${sql.lit(pendingMax)}) pending`.execute(db);
  return rows[0]?.n ?? 0;
}

/** The files that wait to be read, and those that were, by result. */
export type FileCounts = Partial<Record<ReadStatus | 'pending', number>>;

/** Counts all files by their status. It reads the whole table, so it is for an operator who asks. */
export async function countFiles(deps: Pick<Deps, 'db'>): Promise<FileCounts> {
  const rows = await acrossWorkspaces(deps, 'a figure of the server')
    .selectFrom('attachment_texts')
    .select('status')
    .select((of) => of.cast<number>(of.fn.countAll(), 'integer').as('files'))
    .groupBy('status')
    .execute();
  return Object.fromEntries(rows.map(({ status, files }) => [status, files]));
}
