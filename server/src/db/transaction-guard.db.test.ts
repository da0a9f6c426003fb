import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Deps } from '../deps.ts';
import { newId } from '../lib/ids.ts';
import { inTransaction } from './transaction.ts';

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
