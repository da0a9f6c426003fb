import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { StartError } from '../../lib/start/start-error.ts';
import type { Database } from '../database.ts';
import type { Db } from '../tables.ts';
import { inTransaction } from '../transaction.ts';
import { functions, functionsVersion } from './list.ts';

/** Distinguishes the functions of this version from others. */
const functionsHash = createHash('sha256').update(functions.join('\n')).digest('hex');

/**
 * Gives the database the functions of this version, all in one transaction, and returns whether it had others. During an upgrade, processes
 * of the previous version call them, too. So a changed function keeps its signature, or the old one stays for a release.
 *
 * @throws StartError if a newer version has given it newer ones.
 */
export async function applyFunctions({ pool, db }: Pick<Database, 'pool' | 'db'>): Promise<boolean> {
  const { rows } = await pool.query('select version, hash from applied_functions');
  const [applied] = rows as { version: number; hash: string }[];
  const isSame = applied?.hash === functionsHash;
  if (isSame && applied.version >= functionsVersion) return false;
  if (applied && applied.version > functionsVersion)
    throw new StartError(
      `The database was brought up to date by a newer version of this program (functions ${applied.version}), which this one does not know. Start that version or a later one, or restore a copy of the database from before it.`,
    );
  await inTransaction({ db }, replaceFunctions);
  return !isSame;
}

/** Replaces all functions within the transaction of `db`. */
async function replaceFunctions({ db }: { db: Db }): Promise<void> {
  for (const statement of functions) await sql.raw(statement).execute(db);
  await sql`insert into applied_functions (one, version, hash) values (true, ${functionsVersion}, ${functionsHash})
    on conflict (one) do update set version = excluded.version, hash = excluded.hash`.execute(db);
}
