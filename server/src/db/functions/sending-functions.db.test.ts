import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { inTwoTransactions } from '@postrider/testkit/database/two-transactions.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../lib/ids.ts';

let store: MailStore;
let workspaceId: string;
let inboxId: string;

beforeAll(async () => {
  store = await openMailStore();
  workspaceId = store.workspaceId;
  await store.rows(`insert into instance (one, secret_id, sending_version) values (true, 'secret', 3)`);
});
afterAll(() => store.close());

beforeEach(async () => {
  inboxId = await store.inbox();
  await store.rows('delete from pauses');
});

const one = async (expression: string, values: unknown[] = []) =>
  (await store.rows<{ value: unknown }>(`select ${expression} as value`, values))[0]?.value;
const pause = (level: string, subject: string) =>
  store.rows('insert into pauses (level, subject_id, paused_at) values ($1, $2, now())', [level, subject]);

describe.each([
  ['lock_sending', `select lock_sending('wsp_own', $1)`],
  ['lock_waiting', 'select lock_waiting($1)'],
])('%s', (_, call) => {
  test('lets in all who share it', () =>
    inTwoTransactions(store.database.pool, async (first, second) => {
      await first.rows(call, [false]);
      expect(await second.rows(call, [false])).toHaveLength(1);
    }));

  test.each([
    ['alone, for one that shares it', true, false],
    ['shared, for one that has it alone', false, true],
    ['alone, for another that has it alone', true, true],
  ])('waits until the end of the other transaction: %s', (_case, isAlone, otherIsAlone) =>
    inTwoTransactions(store.database.pool, async (first, second) => {
      const order: string[] = [];
      await first.rows(call, [otherIsAlone]);
      const waiting = second.rows(call, [isAlone]).then(() => order.push('second'));
      await first.blocks(second);
      order.push('first');
      await first.commit();
      await waiting;
      expect(order).toEqual(['first', 'second']);
    }),
  );
});

test('lock_sending of one workspace lets in another one and the server', () =>
  inTwoTransactions(store.database.pool, async (first, second) => {
    await first.rows(`select lock_sending('wsp_own', true)`);
    await first.rows('select lock_waiting(true)');
    const taken = await second.rows(`select lock_sending('wsp_other', true), lock_sending('', true)`);
    expect(taken).toHaveLength(1);
  }));

test('sending_version is another after a change of the server or of the workspace, and not of another one', async () => {
  const other = newId('wsp');
  await store.rows(
    `insert into workspaces (id, name, title, plan, is_test, created_at, sending_version)
      values ($1, $1, $1, 'free', false, now(), 7)`,
    [other],
  );
  const version = () => one('sending_version($1)', [workspaceId]);
  expect([await version(), await one('sending_version($1)', [other])]).toEqual(['3.0', '3.7']);
  await store.rows('update workspaces set sending_version = 8 where id = $1', [other]);
  expect(await version()).toBe('3.0');
  await store.rows('update workspaces set sending_version = 1 where id = $1', [workspaceId]);
  expect(await version()).toBe('3.1');
  await store.rows('update instance set sending_version = 4');
  expect(await version()).toBe('4.1');
  expect(await one('sending_version($1)', [newId('wsp')])).toBeNull();
  await store.rows('update instance set sending_version = 3');
  await store.rows('update workspaces set sending_version = 0');
});

test('pause_of says the widest pause of a place, and none of others', async () => {
  const key = newId('key');
  const paused = (actor: string | null = key) => one('pause_of($1, $2, $3)', [workspaceId, inboxId, actor]);
  await pause('workspace', newId('wsp'));
  await pause('inbox', await store.inbox());
  await pause('key', newId('key'));
  // An id counts at its own level only.
  await pause('key', inboxId);
  await pause('inbox', key);
  expect([await paused(), await paused(null)]).toEqual([null, null]);
  await pause('key', key);
  expect([await paused(), await paused(null)]).toEqual(['key', null]);
  await pause('inbox', inboxId);
  expect([await paused(), await paused(null)]).toEqual(['inbox', 'inbox']);
  await pause('workspace', workspaceId);
  expect(await paused()).toBe('workspace');
  await pause('server', '');
  expect([await paused(), await one(`pause_of('', '', '')`)]).toEqual(['server', 'server']);
});

test('pause_of_message looks at the key that sent a message and the key that wrote it', async () => {
  const [sender, writer] = [newId('key'), newId('key')];
  const id = newId('msg');
  await store.store({ inboxId, message: { id, actor_id: sender, writer_id: writer } });
  const unsigned = newId('msg');
  await store.store({ inboxId, message: { id: unsigned } });
  const paused = (msg = id, ws = workspaceId) => one('pause_of_message($1, $2)', [ws, msg]);
  await pause('key', newId('key'));
  expect(await paused()).toBeNull();
  await pause('key', writer);
  expect([await paused(), await paused(unsigned)]).toEqual(['key', null]);
  await store.rows('delete from pauses');
  await pause('key', sender);
  expect(await paused()).toBe('key');
  await pause('inbox', inboxId);
  expect([await paused(), await paused(unsigned)]).toEqual(['inbox', 'inbox']);
  await pause('server', '');
  expect(await paused()).toBe('server');
  // Without the message nothing is known of it, not even a pause of the server.
  expect([await paused(newId('msg')), await paused(id, newId('wsp'))]).toEqual([null, null]);
});

test('lock_key differs by the name and by what the lock is on', async () => {
  const keys = await store.rows<{ key: unknown }>(`select lock_key(name, id) as key from
    (values ('inbox', 'a'), ('inbox', 'b'), ('threads', 'a'), ('inbox', 'a')) locks(name, id)`);
  expect(new Set(keys.map(({ key }) => key)).size).toBe(3);
});
