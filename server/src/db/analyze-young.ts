import type pg from 'pg';
import { isUnavailable } from './database-errors.ts';

/** A table that has more rows is analyzed often enough by the database itself. */
const youngRowsMax = 100_000;
const changedRowsMin = 100;
const lookMs = 2_000;
/** A tenth of the rows that are sampled otherwise: how many there are counts, and how they differ will be known when it is large. */
const statisticsTarget = 10;

/** Tables that have twice as many rows as the planner knows of, or whose size it has never seen. */
const findStale = `
  select format('%I.%I', n.nspname, c.relname) as name
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and s.n_mod_since_analyze >= greatest($1::int, c.reltuples) and c.reltuples < $2::int`;

/** Analyzes the small tables that have grown, and answers which. */
export const analyzeYoung = async (pool: pg.Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ name: string }>(findStale, [changedRowsMin, youngRowsMax]);
  for (const { name } of rows)
    await pool.query(`set local default_statistics_target = ${statisticsTarget}; analyze ${name}`);
  return rows.map(({ name }) => name);
};

/**
 * Keeps the planner informed while a database grows from nothing. What is prepared while a table is empty may look rows up by
 * whatever index comes first, or read the table whole, and goes on doing so until the table is analyzed: on Postgres up to a
 * minute, and on the embedded database until the next vacuum. Answers what stops it.
 */
export const startAnalyzing = (pool: pg.Pool, onError: (error: unknown) => void): (() => Promise<void>) => {
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
};
