import { setTimeout as pause } from 'node:timers/promises';
import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Database } from './database.ts';
import { controlOwner, onBehalfOf } from './fair-connections.ts';

let database: Database;
beforeAll(async () => {
  database = await openFreshDatabase();
});
afterAll(() => database.close());

const query = (text = 'select 1') => database.pool.query(text);

describe.skipIf(inject('testDatabases').kind === 'postgres')(
  'the connection of the embedded database',
  () => {
    test('serves who has had the least of it first', async () => {
      const served: string[] = [];
      const ask = (name: string) =>
        onBehalfOf({ name, share: 1 }, async () => {
          await query();
          served.push(name);
        });
      await onBehalfOf({ name: 'much', share: 1 }, () =>
        query('select count(*) from generate_series(1, 200000)'),
      );
      const held = await database.pool.connect();
      const asked = ['much', 'much', 'little', 'much', 'little'].map(ask);
      await pause(10);
      expect(served).toEqual([]);
      held.release();
      await Promise.all(asked);
      expect(served).toEqual(['little', 'little', 'much', 'much', 'much']);
    });

    test('serves the next query after one that failed, and after a broken connection was given back', async () => {
      await expect(query('select nothing')).rejects.toThrow('nothing');
      // One with parameters has messages under way when it fails.
      const failing = database.pool.query('select 1 / $1::int', [0]);
      const beside = database.pool.query('select $1::int as n', [7]);
      await expect(failing).rejects.toThrow('division by zero');
      expect((await beside).rows).toEqual([{ n: 7 }]);
      const client = await database.pool.connect();
      const next = query();
      client.release(new Error('broken'));
      expect((await next).rowCount).toBe(1);
    });

    test('work that outlives its request counts for the server', async () => {
      let leftBehind = Promise.resolve();
      await onBehalfOf({ name: 'asker', share: 1 }, async () => {
        leftBehind = pause(20).then(async () => {
          await query('select count(*) from generate_series(1, 200000)');
        });
      });
      await leftBehind;
      const served: string[] = [];
      const held = await database.pool.connect();
      const asked = [
        query().then(() => served.push('server')),
        onBehalfOf({ name: 'asker', share: 1 }, () => query()).then(() => served.push('asker')),
      ];
      await pause(10);
      held.release();
      await Promise.all(asked);
      expect(served).toEqual(['asker', 'server']);
    });
  },
);

test.runIf(inject('testDatabases').kind === 'postgres')(
  'people who change what may be sent get a connection also while all of the pool are in use',
  async () => {
    const held = await Promise.all(Array.from({ length: 10 }, () => database.pool.connect()));
    const waiting = query();
    const { rows } = await onBehalfOf(controlOwner, () => query('select 1 as one'));
    expect(rows).toEqual([{ one: 1 }]);
    expect(database.pool.waitingCount).toBe(1);
    for (const client of held) client.release();
    await waiting;
  },
);
