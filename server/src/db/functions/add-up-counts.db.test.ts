import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { inTwoTransactions } from '@postrider/testkit/database/two-transactions.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../lib/ids.ts';

let store: MailStore;
let workspaceId: string;

beforeAll(async () => {
  store = await openMailStore();
  workspaceId = store.workspaceId;
});
afterAll(() => store.close());

beforeEach(async () => {
  await store.rows('delete from send_counts');
  await store.rows('delete from policies');
});

const noon = Date.UTC(2026, 2, 1, 12);
const minute = (count: number) => new Date(noon + count * 60_000);
const addUp = () => store.rows('select add_up_counts($1)', [minute(0)]);
const count = (subject: string, at: Date, amount = 1, owner = workspaceId) =>
  store.rows(
    'insert into send_counts (workspace_id, subject, slot, message_id, amount) values ($1, $2, $3, $4, $5)',
    [owner, subject, at, newId('msg'), amount],
  );
const policy = (subject: string, lines: object, owner = workspaceId) =>
  store.rows(
    `insert into policies (workspace_id, level, subject_id, lines, updated_at) values ($1, 'key', $2, $3, now())`,
    [owner, subject, lines],
  );
const kept = async () =>
  (
    await store.rows<{ line: string }>(
      `select subject || ' ' || to_char(slot at time zone 'utc', 'MI') || ' ' || amount || case message_id when '' then ' all' else '' end
        as line from send_counts order by subject, slot, amount`,
    )
  ).map(({ line }) => line);

test('add_up_counts leaves one row of a slot since the moment, for subjects with a cap of an hour or a day', async () => {
  await addUp();
  await policy('key_hour', { per_hour: 1 });
  await policy('key_day', { per_day: null });
  await policy('key_thread', { per_thread_hour: 1 });
  for (const subject of ['key_day', 'key_hour', 'key_none', 'key_thread', 'key_hour>a@x'])
    for (const amount of [1, 2]) await count(subject, minute(0), amount);
  await count('key_hour', minute(-5), 3);
  await count('key_hour', minute(-5), 4);
  await addUp();
  const others = ['key_hour>a@x 00 1', 'key_hour>a@x 00 2', 'key_none 00 1', 'key_none 00 2'].concat([
    'key_thread 00 1',
    'key_thread 00 2',
  ]);
  const summed = ['key_day 00 3 all', 'key_hour 55 3', 'key_hour 55 4', 'key_hour 00 3 all'];
  expect(await kept()).toEqual([...summed, ...others]);
  await count('key_hour', minute(0), 7);
  await addUp();
  await addUp();
  expect((await kept()).filter((line) => line.startsWith('key_hour 00'))).toEqual(['key_hour 00 10 all']);
});

test('add_up_counts keeps workspaces apart that have a subject of one name', async () => {
  const other = newId('wsp');
  await policy('key_1', { per_day: 1 });
  for (const owner of [workspaceId, other])
    for (const amount of [1, 2]) await count('key_1', minute(0), amount, owner);
  await addUp();
  expect(await kept()).toEqual(['key_1 00 1', 'key_1 00 2', 'key_1 00 3 all']);
  await policy('key_1', { per_day: 1 }, other);
  await addUp();
  expect(await kept()).toEqual(['key_1 00 3 all', 'key_1 00 3 all']);
});

test('add_up_counts counts nothing twice where two processes add up at once', () =>
  inTwoTransactions(store.database.pool, async (first, second) => {
    await policy('key_1', { per_day: 1 });
    for (const amount of [1, 2, 4]) await count('key_1', minute(0), amount);
    await first.rows('select add_up_counts($1)', [minute(0)]);
    const waiting = second.rows('select add_up_counts($1)', [minute(0)]);
    await first.blocks(second);
    await first.commit();
    await waiting;
    await second.commit();
    expect(await kept()).toEqual(['key_1 00 7 all']);
  }));
