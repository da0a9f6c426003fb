import { createHash } from 'node:crypto';
import type pg from 'pg';
import { StartError } from '../../lib/start/start-error.ts';
import type { Database } from '../database.ts';
import { functions, functionsVersion } from './list.ts';

/** What tells the functions of this version from others. */
const functionsHash = createHash('sha256').update(functions.join('\n')).digest('hex');

/**
 * Gives the database the functions of this version, all of them in one transaction, and returns whether it had others. During an
 * upgrade, processes of the version before call them too. So a changed function keeps its signature, or the old one stays for a release.
 *
 * @throws StartError when a newer version has given it newer ones.
 */
export const applyFunctions = async ({ pool }: Pick<Database, 'pool'>): Promise<boolean> => {
  const { rows } = await pool.query('select version, hash from applied_functions');
  const [applied] = rows as { version: number; hash: string }[];
  if (applied?.hash === functionsHash) return false;
  if (applied && applied.version > functionsVersion)
    throw new StartError(
      `The database was brought up to date by a newer version of this program (functions ${applied.version}), which this one does not know. Start that version or a later one, or restore a copy of the database from before it.`,
    );
  await inTransactionOf(pool, replaceFunctions);
  return true;
};

/** Replaces all functions within the transaction of a client. */
export const replaceFunctions = async (client: pg.PoolClient): Promise<void> => {
  for (const statement of functions) await client.query(statement);
  await client.query(
    `insert into applied_functions (one, version, hash) values (true, $1, $2)
      on conflict (one) do update set version = excluded.version, hash = excluded.hash`,
    [functionsVersion, functionsHash],
  );
};

/** Does work in a transaction of its own, all of it or nothing. */
export const inTransactionOf = async (
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await work(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
};
