import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Deps } from '../deps.ts';
import { newId } from '../lib/ids.ts';
import { inTransaction, onControlConnection } from './connections.ts';

let server: TestServer;
let deps: Deps;

beforeAll(async () => {
  server = await startTestServer({ roles: ['api'] });
  deps = server.server.deps;
});

afterAll(() => server.stop());

const forbidden: [string, () => Promise<unknown>][] = [
  ['a query on the pool', () => deps.database.pool.query('select 1')],
  ['a query beside the transaction', () => sql`select 1`.execute(deps.db)],
  ['a second transaction', () => inTransaction(deps, async () => undefined)],
  ['writing a file', async () => deps.files.put('a/b', Buffer.from('x'))],
  ['reading a file', async () => deps.files.read('a/b')],
  ['removing files', async () => deps.files.deletePrefix('a')],
  ['reading mail', async () => deps.parser.parse(Buffer.from('Subject: x\r\n\r\n'))],
  [
    'sending mail',
    async () =>
      deps.transport.submit({
        raw: Buffer.from(''),
        envelopeFrom: '',
        returnPath: '',
        recipient: 'a@example.com',
        attempt: 1,
        onHandover: async () => {},
      }),
  ],
];

describe('inside a transaction', () => {
  test.each(forbidden)('%s is refused, and the transaction goes on', async (_what, work) => {
    const answer = await inTransaction(deps, async (tx) => {
      await expect((async () => work())()).rejects.toThrow(/inside a transaction: do it before or after/);
      return sql<{ fine: boolean }>`select true as fine`.execute(tx.db);
    });
    expect(answer.rows).toEqual([{ fine: true }]);
  });

  test.each(forbidden)('%s is allowed again afterwards, also after an error', async (_what, work) => {
    await expect(inTransaction(deps, () => Promise.reject(new Error('rolled back')))).rejects.toThrow(
      'rolled back',
    );
    await work();
  });

  test('what fails is undone', async () => {
    const id = newId('wsp');
    const failing = inTransaction(deps, async (tx) => {
      await tx.db
        .insertInto('workspaces')
        .values({ id, name: id, title: id, plan: 'free', is_test: false, created_at: new Date() })
        .execute();
      throw new Error('too late');
    });
    await expect(failing).rejects.toThrow('too late');
    expect(await server.rows('select id from workspaces where id = $1', [id])).toEqual([]);
  });

  test('a wake-up may be asked for, and goes out without the mark of the transaction', async () => {
    const woken = new Promise<void>((resolve) => {
      const stop = deps.wakeups.listen('a workspace', () => {
        stop();
        resolve();
      });
    });
    await inTransaction(deps, async () => deps.wakeups.wake('a workspace'));
    await woken;
    // The notice to other processes goes out by a timer, whose error would end the process.
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
});

/** Runs `work` while it and others hold all connections of the pool. */
async function whileAllAreHeld<T>(work: () => Promise<T>): Promise<T> {
  const { pool } = deps.database;
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  try {
    return await work();
  } finally {
    for (const client of held) client.release();
  }
}

const ownPid = async (db: Deps['db']) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;

describe('the connection of people who stop what is sent', () => {
  test('is free while callers hold all others, also for a transaction', async () => {
    const pid = await whileAllAreHeld(() =>
      onControlConnection(() => inTransaction(deps, ({ db }) => ownPid(db))),
    );
    expect(pid).toBeGreaterThan(0);
  });

  test('is not used by work that continues afterwards', async () => {
    let later: Promise<number | undefined> | null = null;
    const pid = await onControlConnection(async () => {
      later = new Promise((resolve) => setTimeout(() => resolve(ownPid(deps.db)), 50));
      return ownPid(deps.db);
    });
    expect(await later).not.toBe(pid);
  });
});

describe('a connection that breaks while it is in use', () => {
  test.each([
    ['of the pool', (work: () => Promise<number | undefined>) => work()],
    ['for control', onControlConnection],
  ])('fails its transaction only, and is replaced: one %s', async (_which, run) => {
    const pid = Promise.withResolvers<number | undefined>();
    const broken = run(() =>
      inTransaction(deps, async ({ db }) => {
        pid.resolve(await ownPid(db));
        await sql`select pg_sleep(60)`.execute(db);
        return 0;
      }),
    );
    await Promise.all([
      expect(broken).rejects.toThrow(/terminat/),
      server.rows('select pg_terminate_backend($1)', [await pid.promise]),
    ]);
    expect(await run(() => ownPid(deps.db))).toBeGreaterThan(0);
  });
});
