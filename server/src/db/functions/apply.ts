import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Database } from '../database.ts';
import { functions } from './list.ts';

const hash = createHash('sha256').update(functions.join('\n')).digest('hex');

/**
 * Gives the database the functions of this version, all of them in one transaction, and returns whether it had others. A process of
 * the version before goes on calling them: a function that changes keeps its signature, or keeps the old one beside it for a release.
 */
export const applyFunctions = async ({ pool }: Pick<Database, 'pool'>): Promise<boolean> => {
  const { rows } = await pool.query('select hash from applied_functions');
  if (rows[0]?.hash === hash) return false;
  const client = await pool.connect();
  try {
    await replaceAll(client);
    return true;
  } finally {
    client.release();
  }
};

const replaceAll = async (client: pg.PoolClient): Promise<void> => {
  await client.query('begin');
  try {
    for (const statement of functions) await client.query(statement);
    await client.query(
      'insert into applied_functions (one, hash) values (true, $1) on conflict (one) do update set hash = excluded.hash',
      [hash],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
};
