import { setTimeout as sleep } from 'node:timers/promises';
import { type FreshDatabase, freshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLocalWakeups, createSharedWakeups, type Wakeups } from './wakeups.ts';

/** Counts the wake-ups of a workspace. */
const countWakeups = (wakeups: Wakeups, workspaceId: string) => {
  const counter = { count: 0, stop: () => {} };
  counter.stop = wakeups.listen(workspaceId, () => counter.count++);
  return counter;
};

describe('wake-ups within a process', () => {
  test('reach the listeners of the workspace and those of all', () => {
    const wakeups = createLocalWakeups();
    const [mine, other] = [countWakeups(wakeups, 'mine'), countWakeups(wakeups, 'other')];
    let all = 0;
    const stopAll = wakeups.listenToAll(() => all++);
    wakeups.wake('mine');
    expect([mine.count, other.count, all]).toEqual([1, 0, 1]);
    mine.stop();
    stopAll();
    wakeups.wake('mine');
    expect([mine.count, other.count, all]).toEqual([1, 0, 1]);
  });

  test('take a workspace with any name as just another name', () => {
    const wakeups = createLocalWakeups();
    for (const name of ['error', '__proto__', 'newListener']) {
      const counter = countWakeups(wakeups, name);
      const before = counter.count;
      wakeups.wake(name);
      expect(counter.count).toBeGreaterThan(before);
      counter.stop();
    }
  });
});

describe('wake-ups across processes, which need Postgres', () => {
  let fresh: FreshDatabase;
  let url: string;
  let opened: { pool: pg.Pool; wakeups: Wakeups; errors: unknown[] }[];

  beforeEach(async () => {
    fresh = await freshDatabase();
    if (!('url' in fresh.settings)) throw new Error('This needs Postgres.');
    url = fresh.settings.url;
    opened = [];
  });

  afterEach(async () => {
    for (const { pool, wakeups } of opened) {
      await wakeups.close();
      await pool.end();
    }
    await fresh.drop();
  });

  /** Stands for a process: a pool and a listening connection of its own. */
  const open = async () => {
    const pool = new pg.Pool({ connectionString: url, max: 2, application_name: 'sender' });
    pool.on('error', () => {});
    const errors: unknown[] = [];
    const connect = async () => {
      const client = new pg.Client({ connectionString: url, application_name: 'listener' });
      await client.connect();
      return client;
    };
    const count = (await listeners(pool)) + 1;
    const wakeups = createSharedWakeups(pool, connect, (error) => errors.push(error));
    opened.push({ pool, wakeups, errors });
    // A connection that begins to listen wakes all waiters, a moment after Postgres shows it as idle.
    const begun = countWakeups(wakeups, 'begun');
    await eventually('the listener', async () => begun.count > 0 && (await listeners(pool)) === count);
    begun.stop();
    return { pool, wakeups, errors };
  };

  const listeners = async (pool: pg.Pool): Promise<number> => {
    const { rows } = await pool.query(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and application_name = 'listener' and query = 'listen wakeups' and state = 'idle'`,
    );
    return (rows[0] as { count: number }).count;
  };

  const killListeners = (pool: pg.Pool) =>
    pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'listener'`,
    );

  test('reach the other process within moments, and the own one at once', async () => {
    const [here, there] = [await open(), await open()];
    const [own, other, stranger] = [
      countWakeups(here.wakeups, 'mine'),
      countWakeups(there.wakeups, 'mine'),
      countWakeups(there.wakeups, 'other'),
    ];
    here.wakeups.wake('mine');
    expect(own.count).toBe(1);
    await eventually('the other process', async () => other.count > 0);
    expect(stranger.count).toBe(0);
  });

  /** Counts the notices of all processes. */
  const countNotices = async () => {
    const client = new pg.Client({ connectionString: url });
    const notices = { count: 0, stop: () => client.end() };
    client.on('notification', () => notices.count++);
    await client.connect();
    await client.query('listen wakeups');
    return notices;
  };

  test('that come without a pause go out in few notices', async () => {
    const [here, there] = [await open(), await open()];
    const other = countWakeups(there.wakeups, 'mine');
    const notices = await countNotices();
    const from = performance.now();
    for (let turn = 0; turn < 100; turn++) {
      here.wakeups.wake('mine');
      await sleep(2);
    }
    const most = (performance.now() - from) / 25 + 2;
    await eventually('the other process', async () => other.count > 1);
    await sleep(50);
    expect(notices.count).toBeLessThanOrEqual(most);
    await notices.stop();
  });

  test('that are due go out when their process stops', async () => {
    const [here, there] = [await open(), await open()];
    const names = Array.from({ length: 200 }, (_, index) => `wsp_${String(index).padStart(26, '0')}`);
    const counters = names.map((name) => countWakeups(there.wakeups, name));
    for (const name of names) here.wakeups.wake(name);
    await here.wakeups.close();
    await eventually('all', async () => counters.every(({ count }) => count > 0));
  });

  test('of many workspaces at once all arrive, in few notices', async () => {
    const [here, there] = [await open(), await open()];
    const notices = await countNotices();
    const names = Array.from({ length: 1_000 }, (_, index) => `wsp_${String(index).padStart(26, '0')}`);
    const counters = names.map((name) => countWakeups(there.wakeups, name));
    for (const name of names) here.wakeups.wake(name);
    await eventually('all', async () => counters.every(({ count }) => count > 0));
    expect(notices.count).toBeLessThanOrEqual(Math.ceil(names.length / 150));
    await notices.stop();
  });

  test('go on after the connection was cut, and who waited meanwhile looks again', async () => {
    const [here, there] = [await open(), await open()];
    const missed = countWakeups(there.wakeups, 'missed');
    await killListeners(here.pool);
    here.wakeups.wake('missed');
    await eventually('a look after the break', async () => missed.count > 0);
    await eventually('both listeners', async () => (await listeners(here.pool)) === 2);
    const other = countWakeups(there.wakeups, 'mine');
    here.wakeups.wake('mine');
    await eventually('the other process', async () => other.count > 0);
  });

  test('keep one connection however often it is cut, and none after the end', async () => {
    const { pool, wakeups } = await open();
    for (let round = 0; round < 2; round++) {
      await killListeners(pool);
      await eventually('the listener again', async () => (await listeners(pool)) === 1);
    }
    await wakeups.close();
    await eventually('no listener', async () => (await listeners(pool)) === 0);
  });

  test('are given up quietly when the database is gone at the end', async () => {
    const { pool, wakeups } = await open();
    await killListeners(pool);
    await wakeups.close();
  });
});
