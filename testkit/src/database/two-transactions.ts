import type { Database } from '../../../server/src/db/database.ts';
import { eventually } from '../lib/eventually.ts';

/** A transaction on a connection of its own. */
export interface OpenTransaction {
  pid: number;
  /** The number of statements that have not ended. */
  underWay: number;
  rows<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Resolves once the other transaction waits for a lock of this one. Rejects if its statement ends without that. */
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
    underWay: 0,
    rows: async <Row>(text: string, values: unknown[] = []) => {
      transaction.underWay += 1;
      const { rows } = await client.query(text, values).finally(() => {
        transaction.underWay -= 1;
      });
      return rows as Row[];
    },
    blocks: (other) =>
      eventually('the second transaction to wait for the first', async () => {
        const { rows } = await pool.query('select $1 = any(pg_blocking_pids($2)) as waits', [pid, other.pid]);
        if (other.underWay === 0) throw new Error('The second transaction did not wait for the first.');
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
