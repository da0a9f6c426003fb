import type { Database } from '../../../server/src/db/database.ts';
import { eventually } from '../lib/eventually.ts';

/** A transaction on a connection of its own. */
export interface OpenTransaction {
  pid: number;
  rows<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Resolves once the other transaction waits for a lock of this one. */
  blocks(other: OpenTransaction): Promise<void>;
  commit(): Promise<void>;
}

/** Only catches hangs: a wait that a test does not expect ends with an error. */
const lockTimeout = '240s';

/** Runs a test with two transactions, and rolls back those that are still open at its end. */
export async function inTwoTransactions(
  pool: Database['pool'],
  work: (first: OpenTransaction, second: OpenTransaction) => Promise<void>,
): Promise<void> {
  const [first, second] = [await begin(pool), await begin(pool)];
  try {
    await work(first.transaction, second.transaction);
  } finally {
    // The first one before the second, which may wait for it.
    await first.end();
    await second.end();
  }
}

async function begin(pool: Database['pool']) {
  const client = await pool.connect();
  await client.query(`begin; set local lock_timeout = '${lockTimeout}'`);
  const { rows: found } = await client.query('select pg_backend_pid() as pid');
  const pid: number = found[0].pid;
  const transaction: OpenTransaction = {
    pid,
    rows: async <Row>(text: string, values: unknown[] = []) =>
      (await client.query(text, values)).rows as Row[],
    blocks: (other) =>
      eventually('the second transaction to wait for the first', async () => {
        const { rows } = await pool.query('select $1 = any(pg_blocking_pids($2)) as waits', [pid, other.pid]);
        return rows[0].waits === true;
      }).then(() => {}),
    commit: async () => {
      await client.query('commit');
    },
  };
  const end = async () => {
    await client.query('rollback');
    client.release();
  };
  return { transaction, end };
}
