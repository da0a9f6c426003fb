import { type MailStore, openMailStore, type StoredMail } from '@postrider/testkit/database/stored-mail.ts';
import { inTwoTransactions } from '@postrider/testkit/database/two-transactions.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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

const noon = new Date('2026-03-01T12:00:00.000Z');
const storeIn = (mail: Omit<StoredMail, 'inboxId'> = {}) => store.keep({ inboxId, at: noon, ...mail });
/** Two messages of one thread. */
const storeTwo = async () => {
  const own = `<${newId('msg')}@x>`;
  const [one, two] = [await storeIn({ own }), await storeIn({ named: [own] })];
  expect(two.threadId).toBe(one.threadId);
  return [one, two] as const;
};
const createLabel = async () => {
  const id = newId('lbl');
  await store.rows(
    'insert into labels (workspace_id, id, name, name_key, created_at) values ($1, $2, $2, $2, now())',
    [workspaceId, id],
  );
  return id;
};
const label = (id: string, messageId: string, owner = workspaceId) =>
  store.rows(
    'insert into message_labels (workspace_id, label_id, message_id, inbox_id) values ($1, $2, $3, $4)',
    [owner, id, messageId, inboxId],
  );
const remove = (id: string, messageId: string) =>
  store.rows('delete from message_labels where label_id = $1 and message_id = $2', [id, messageId]);
const labelled = (id: string) =>
  store.rows(
    'select workspace_id, thread_id, inbox_id, last_message_at from thread_labels where label_id = $1',
    [id],
  );
const threadRow = (thread_id: string) => ({
  workspace_id: workspaceId,
  thread_id,
  inbox_id: inboxId,
  last_message_at: noon,
});

test('the functions of labels are those of the triggers of messages and threads', async () => {
  const triggers = await store.rows<{ line: string }>(
    `select tgrelid::regclass || ': ' || tgfoid::regproc as line from pg_trigger where not tgisinternal order by 1`,
  );
  expect(triggers.map(({ line }) => line)).toEqual([
    'message_labels: label_thread',
    'message_labels: unlabel_thread',
    'threads: move_labelled_thread',
  ]);
});

describe('lock_thread_of', () => {
  const lock = 'select id from lock_thread_of($1, $2)';
  const locked = async (messageId: string, ws = workspaceId) =>
    (await store.rows<{ id: string | null }>(lock, [ws, messageId])).map(({ id }) => id);

  test('returns the thread of a message, and null of one that is gone or in another workspace', async () => {
    const { messageId, threadId } = await storeIn();
    expect(await locked(messageId)).toEqual([threadId]);
    expect(await locked(messageId, newId('wsp'))).toEqual([null]);
    expect(await locked(newId('msg'))).toEqual([null]);
  });

  test('returns null of a message whose thread was deleted', async () => {
    const { messageId, threadId } = await storeIn();
    await store.rows('delete from threads where id = $1', [threadId]);
    expect(await locked(messageId)).toEqual([null]);
    await store.rows('insert into deleted_threads (workspace_id, thread_id) values ($1, $2)', [
      workspaceId,
      threadId,
    ]);
    expect(await locked(messageId)).toEqual([null]);
  });

  test('lets changes of one thread take turns, and those of another go on', () =>
    inTwoTransactions(store.database.pool, async (first, second) => {
      const [[one, two], other] = [await storeTwo(), await storeIn()];
      await first.rows(lock, [workspaceId, one.messageId]);
      expect(await second.rows(lock, [workspaceId, other.messageId])).toEqual([{ id: other.threadId }]);
      const order: string[] = [];
      const waiting = second.rows(lock, [workspaceId, two.messageId]).then(() => order.push('second'));
      await first.blocks(second);
      order.push('first');
      await first.commit();
      await waiting;
      expect(order).toEqual(['first', 'second']);
    }));

  test('follows a message into the thread that takes it over meanwhile', () =>
    inTwoTransactions(store.database.pool, async (first, second) => {
      const [kept, merged] = [await storeIn(), await storeIn()];
      await first.rows('select merge_threads($1, $2, $3)', [workspaceId, kept.threadId, [merged.threadId]]);
      const waiting = second.rows(lock, [workspaceId, merged.messageId]);
      await first.blocks(second);
      await first.commit();
      expect(await waiting).toEqual([{ id: kept.threadId }]);
    }));
});

describe('label_thread', () => {
  test('gives a thread the label of any of its messages, once', async () => {
    const [id, [one, two]] = [await createLabel(), await storeTwo()];
    await label(id, one.messageId);
    expect(await labelled(id)).toEqual([threadRow(one.threadId)]);
    await label(id, two.messageId);
    expect(await labelled(id)).toEqual([threadRow(one.threadId)]);
  });

  test('gives none of a message that is gone, or of another workspace', async () => {
    const [id, { messageId }] = [await createLabel(), await storeIn()];
    await label(id, newId('msg'));
    await label(id, messageId, newId('wsp'));
    expect(await labelled(id)).toEqual([]);
  });

  test('gives the label to the thread that takes the message over meanwhile', () =>
    inTwoTransactions(store.database.pool, async (first, second) => {
      const [id, kept, merged] = [await createLabel(), await storeIn(), await storeIn()];
      await first.rows('select merge_threads($1, $2, $3)', [workspaceId, kept.threadId, [merged.threadId]]);
      const labelling = second.rows(
        'insert into message_labels (workspace_id, label_id, message_id, inbox_id) values ($1, $2, $3, $4)',
        [workspaceId, id, merged.messageId, inboxId],
      );
      await first.blocks(second);
      await first.commit();
      await labelling;
      await second.commit();
      expect(await labelled(id)).toEqual([threadRow(kept.threadId)]);
    }));
});

describe('unlabel_thread', () => {
  test('takes a label from a thread with the last message that had it, and no other label', async () => {
    const [id, other, [one, two], apart] = [
      await createLabel(),
      await createLabel(),
      await storeTwo(),
      await storeIn(),
    ];
    for (const { messageId } of [one, two, apart]) await label(id, messageId);
    await label(other, one.messageId);
    await remove(id, one.messageId);
    expect(await labelled(id)).toHaveLength(2);
    await remove(id, two.messageId);
    expect(await labelled(id)).toEqual([threadRow(apart.threadId)]);
    expect(await labelled(other)).toEqual([threadRow(one.threadId)]);
  });

  test.each([
    ['a label', 'delete from labels where id = $1'],
    ['an inbox', 'update inboxes set deleted_at = now() where id = $2'],
  ])('leaves what remains of %s that is deleted to the job of that', async (_, deletion) => {
    const [id, { messageId, threadId }] = [await createLabel(), await storeIn()];
    await label(id, messageId);
    await store.rows(`with gone as (${deletion} returning 1) select $1::text, $2::text from gone`, [
      id,
      inboxId,
    ]);
    await remove(id, messageId);
    expect(await labelled(id)).toEqual([threadRow(threadId)]);
  });
});

test('move_labelled_thread moves a thread in the lists of all of its labels, and of its own workspace', async () => {
  const [one, two, { messageId, threadId }] = [await createLabel(), await createLabel(), await storeIn()];
  for (const id of [one, two]) await label(id, messageId);
  await store.rows(
    `insert into thread_labels (workspace_id, thread_id, label_id, inbox_id, last_message_at)
      select 'wsp_other', thread_id, label_id, inbox_id, last_message_at from thread_labels where label_id = $1`,
    [one],
  );
  const later = new Date(noon.getTime() + 60_000);
  await store.rows('update threads set last_message_at = $2 where id = $1', [threadId, later]);
  const moved = { ...threadRow(threadId), last_message_at: later };
  expect(await labelled(one)).toEqual(
    expect.arrayContaining([moved, { ...threadRow(threadId), workspace_id: 'wsp_other' }]),
  );
  expect(await labelled(two)).toEqual([moved]);
});
