import { type FreshDatabase, freshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '../db/connections.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { createLocalWakeups, type Wakeups } from '../db/wakeups.ts';
import { openQueue, type Queue } from './queue.ts';

const log = pino({ level: 'silent' });
const name = 'test-job';

let fresh: FreshDatabase;
let database: Database;
let queues: Queue[];
let wakeups: Wakeups;

beforeEach(async () => {
  fresh = await freshDatabase();
  database = await openDatabase(fresh.settings);
  queues = [];
  wakeups = createLocalWakeups();
});

afterEach(async () => {
  for (const queue of queues) await queue.stop(1_000);
  await database.close();
  await fresh.drop();
});

/** A queue as another process on the same database would have it. */
const open = async (): Promise<Queue> => {
  const queue = await openQueue(database, [name], log);
  queues.push(queue);
  return queue;
};

const work = (queue: Queue, run: (data: { n: number }) => Promise<void>) =>
  queue.work({ wakeups, lookAgainMs: 60_000 }, [{ name, run }] as Parameters<Queue['work']>[1]);
const context = () => ({ db: database.db, wakeups });

describe('the queue', () => {
  test('runs a job if and only if the transaction that added it commits', async () => {
    const queue = await open();
    const ran: number[] = [];
    const failing = inTransaction(context(), async (tx) => {
      await queue.enqueue(tx, name, { n: 1 });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await inTransaction(context(), (tx) => queue.enqueue(tx, name, { n: 2 }));
    await work(queue, async ({ n }) => void ran.push(n));
    await eventually('the job', async () => ran.length > 0);
    expect(ran).toEqual([2]);
  });

  test('takes jobs in a process that runs none, before any worker has started', async () => {
    const api = await open();
    await inTransaction(context(), (tx) => api.enqueue(tx, name, { n: 1 }));
    const ran: number[] = [];
    await work(await open(), async ({ n }) => void ran.push(n));
    await eventually('the job', async () => ran.length > 0);
    expect(ran).toEqual([1]);
  });

  test('is woken by the commit of a job, and by no roll-back', async () => {
    const queue = await open();
    const ran: number[] = [];
    await work(queue, async ({ n }) => void ran.push(n));
    let woken = 0;
    wakeups.listen(name, () => woken++, 'jobs');
    await inTransaction(context(), async (tx) => {
      await queue.enqueue(tx, name, { n: 1 });
      expect(woken).toBe(0);
    });
    expect(woken).toBe(1);
    // The next poll is minutes away.
    await eventually('the job', async () => ran.length > 0);
  });

  test('runs each of 40 jobs once though two workers share them', async () => {
    const [first, second] = [await open(), await open()];
    const numbers = Array.from({ length: 40 }, (_, index) => index);
    for (const n of numbers) await first.enqueue(context(), name, { n });
    const ran: number[] = [];
    for (const queue of [first, second]) await work(queue, async ({ n }) => void ran.push(n));
    await eventually('all jobs', async () => ran.length >= numbers.length);
    expect(ran.toSorted((a, b) => a - b)).toEqual(numbers);
  });

  test('keeps a job that failed for another try, and goes on with the others', async () => {
    const queue = await open();
    for (const n of [1, 2, 3]) await queue.enqueue(context(), name, { n });
    const ran: number[] = [];
    await work(queue, async ({ n }) => {
      if (n === 2) throw new Error('not today');
      ran.push(n);
    });
    const states = await eventually('the end of all three', async () => {
      const { rows } = await database.pool.query(
        `select data->>'n' as n, state, retry_limit - retry_count as left from pgboss.job where name = $1 order by 1`,
        [name],
      );
      return (
        (rows as { state: string }[]).every(({ state }) => !['created', 'active'].includes(state)) && rows
      );
    });
    expect(ran.toSorted()).toEqual([1, 3]);
    expect(states).toMatchObject([
      { state: 'completed' },
      { n: '2', state: 'retry', left: 20 },
      { state: 'completed' },
    ]);
  });

  test('waits at the end for the job that runs', async () => {
    const queue = await open();
    await queue.enqueue(context(), name, { n: 1 });
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    let ended = false;
    await work(queue, async () => {
      start();
      await new Promise((resolve) => setTimeout(resolve, 500));
      ended = true;
    });
    await started;
    await queue.stop(300_000);
    expect(ended).toBe(true);
  });
});
