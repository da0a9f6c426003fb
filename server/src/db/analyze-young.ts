import type pg from 'pg';
import { isUnavailable } from './database-errors.ts';

/** A table that has more rows is analyzed often enough by the database itself. */
const youngRowsMax = 100_000;
const changedRowsMin = 100;
const lookMs = 2_000;
/** A tenth of the default sample. Only the number of rows matters at first; their distribution is learned once the table is large. */
const statisticsTarget = 10;

/** Finds tables that have twice as many rows as the planner knows of, or whose size it has never seen. */
const findStale = `
  select format('%I.%I', n.nspname, c.relname) as name
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and s.n_mod_since_analyze >= greatest($1::int, c.reltuples) and c.reltuples < $2::int`;

/** Analyzes the small tables that have grown, and returns their names. */
export async function analyzeYoung(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(findStale, [changedRowsMin, youngRowsMax]);
  for (const { name } of rows)
    await pool.query(`set local default_statistics_target = ${statisticsTarget}; analyze ${name}`);
  return rows.map(({ name }) => name);
}

/**
 * Keeps the planner informed while a database grows from nothing. A statement that is prepared while a table is empty may look up rows by
 * any index, or read the whole table, until the table is analyzed: on Postgres for up to a minute, and on the embedded database until the
 * next vacuum. Returns a function that stops it.
 */
export function startAnalyzing(pool: pg.Pool, onError: (error: unknown) => void): () => Promise<void> {
  let looking: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking
      .then(() => analyzeYoung(pool))
      .catch((error: unknown) => isUnavailable(error) || onError(error));
  }, lookMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
