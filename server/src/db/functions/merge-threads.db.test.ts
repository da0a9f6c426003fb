import { type MailStore, openMailStore, type StoredMail } from '@postrider/testkit/database/stored-mail.ts';
import { awaiting, findThread, readLines } from '@postrider/testkit/database/thread-rows.ts';
import { inTwoTransactions } from '@postrider/testkit/database/two-transactions.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sha256 } from '../../lib/crypto/primitives.ts';
import { newId } from '../../lib/ids.ts';

let store: MailStore;
let workspaceId: string;
let inboxId: string;

beforeAll(async () => {
  store = await openMailStore();
  workspaceId = store.workspaceId;
});
afterAll(() => store.close());

beforeEach(async () => {
  inboxId = await store.inbox();
});

const noon = Date.UTC(2026, 2, 1, 12);
const minute = (count: number) => new Date(noon + count * 60_000);
const storeIn = (mail: Omit<StoredMail, 'inboxId'>, inbox = inboxId) =>
  store.keep({ inboxId: inbox, ...mail });
const hash = (id: string) => sha256(id).toString('hex');

const merge = 'select merge_threads($1, $2, $3)';
const threads = () =>
  store.rows(
    `select id, message_count, unread_count, last_message_at, created_at, participants from threads
      where inbox_id = $1 order by id`,
    [inboxId],
  );

test('merge_threads moves the messages and what is counted of them into the one that is left', async () => {
  const [kept, one, two, other] = [
    await storeIn({ at: minute(0) }),
    await storeIn({ at: minute(9), message: { from_addr: 'eve@x' } }),
    await storeIn({ at: minute(1), message: { from_addr: 'bob@x' }, recipients: ['ada@x'] }),
    await storeIn({ at: minute(2) }),
  ];
  await store.rows(merge, [workspaceId, kept.threadId, [one.threadId, two.threadId]]);
  const [merged, left] = await threads();
  expect(merged).toMatchObject({
    id: kept.threadId,
    message_count: 3,
    unread_count: 2,
    created_at: minute(0),
    last_message_at: minute(9),
  });
  expect((merged as { participants: string[] }).participants.toSorted()).toEqual(
    ['ada@example.com', 'bob@x', 'eve@x'].toSorted(),
  );
  expect(left).toMatchObject({ id: other.threadId, message_count: 1 });
  for (const { messageId } of [kept, one, two])
    expect(await findThread(store, messageId)).toBe(kept.threadId);
  expect(await findThread(store, other.messageId)).toBe(other.threadId);
});

test('merge_threads lets the ids of merged threads lead to the last one, over any number of merges', async () => {
  const [a, b, c] = [
    (await storeIn({})).threadId,
    (await storeIn({})).threadId,
    (await storeIn({})).threadId,
  ];
  await store.rows(merge, [workspaceId, b, [c]]);
  await store.rows(merge, [workspaceId, a, [b]]);
  const aliases = 'select id as line from thread_aliases where thread_id = $1 order by id';
  expect(await readLines(store, aliases, [a])).toEqual([b, c].toSorted());
  expect(await readLines(store, aliases, [b])).toEqual([]);
});

test('merge_threads keeps each id that is waited for, each label and each count of a thread once', async () => {
  const [a, b] = [await storeIn({ named: ['<x@x>'], at: minute(0) }), await storeIn({ at: minute(9) })];
  await store.rows(
    `insert into awaited_ids (workspace_id, inbox_id, hash, thread_id)
      select workspace_id, inbox_id, h, $2 from awaited_ids, unnest(array[hash, '\\x01']) h where thread_id = $1`,
    [a.threadId, b.threadId],
  );
  const label = (thread: string, ...ids: string[]) =>
    store.rows(
      `insert into thread_labels (workspace_id, thread_id, label_id, inbox_id, last_message_at)
        select $1, $2, unnest($3::text[]), $4, to_timestamp(0)`,
      [workspaceId, thread, ids, inboxId],
    );
  await label(a.threadId, 'lbl_1');
  await label(b.threadId, 'lbl_1', 'lbl_2');
  const policy = `insert into policies (workspace_id, level, subject_id, lines, updated_at) values ($1, 'key', $2, $3, now())`;
  await store.rows(policy, [workspaceId, 'key_thread', { per_thread_hour: 1 }]);
  await store.rows(policy, [workspaceId, 'key_day', { per_day: 1 }]);
  for (const [subject, amount] of [
    [`key_thread>${a.threadId}`, 1],
    [`key_thread>${b.threadId}`, 2],
    [`key_day>${b.threadId}`, 4],
  ])
    await store.rows(
      `insert into send_counts (workspace_id, subject, slot, message_id, amount) values ($1, $2, $3, 'msg', $4)`,
      [workspaceId, subject, minute(0), amount],
    );
  await store.rows(merge, [workspaceId, a.threadId, [b.threadId]]);
  expect(await awaiting(store, inboxId)).toEqual(
    [`${a.threadId} 01`, `${a.threadId} ${hash('<x@x>')}`].toSorted(),
  );
  const labels = `select thread_id || label_id as line from thread_labels where inbox_id = $1 order by 1`;
  expect(await readLines(store, labels, [inboxId])).toEqual([`${a.threadId}lbl_1`, `${a.threadId}lbl_2`]);
  const moved = 'select distinct last_message_at from thread_labels where inbox_id = $1';
  expect(await store.rows(moved, [inboxId])).toEqual([{ last_message_at: minute(9) }]);
  const counts = `select amount::text as line from send_counts where subject = $1`;
  expect(await readLines(store, counts, [`key_thread>${a.threadId}`])).toEqual(['3']);
  expect(await readLines(store, counts, [`key_day>${a.threadId}`])).toEqual([]);
});

test('merge_threads leaves the threads of another workspace alone, also those of the same ids', async () => {
  const [a, b] = [(await storeIn({})).threadId, (await storeIn({})).threadId];
  const other = newId('wsp');
  await store.rows(
    `insert into threads (workspace_id, id, inbox_id, subject, participants, message_count, last_message_at, created_at)
      select $1, id, 'inb_other', subject, participants, 5, last_message_at, created_at from threads where id in ($2, $3)`,
    [other, a, b],
  );
  await store.rows(merge, [workspaceId, a, [b]]);
  const counts = `select message_count::text as line from threads where workspace_id = $1`;
  expect(await readLines(store, counts, [other])).toEqual(['5', '5']);
  expect(await threads()).toMatchObject([{ id: a, message_count: 2 }]);
});

test('merge_threads waits for another merge into the same thread, and counts its messages too', () =>
  inTwoTransactions(store.database.pool, async (first, second) => {
    const [a, b, c] = [await storeIn({}), await storeIn({}), await storeIn({})].map(
      ({ threadId }) => threadId,
    );
    await first.rows(merge, [workspaceId, a, [b]]);
    const merging = second.rows(merge, [workspaceId, a, [c]]);
    await first.blocks(second);
    await first.commit();
    await merging;
    await second.commit();
    expect(await threads()).toMatchObject([{ id: a, message_count: 3 }]);
  }));
