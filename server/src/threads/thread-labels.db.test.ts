import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { seededRandom } from '@postrider/testkit/lib/seeded-random.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const seed = 20_261_121;
const workers = 6;
const stepsEach = 60;
const labelIds = ['lbl_1', 'lbl_2', 'lbl_3'];
let store: MailStore;

beforeAll(async () => {
  store = await openMailStore();
  for (const id of labelIds)
    await store.rows(
      'insert into labels (workspace_id, id, name, name_key, created_at) values ($1, $2, $2, $2, now())',
      [store.workspaceId, id],
    );
});
afterAll(() => store.close());

const kept = () =>
  store.rows(
    'select thread_id, label_id, inbox_id, last_message_at from thread_labels order by thread_id, label_id',
  );
const byMessages = () =>
  store.rows(
    `select distinct t.id as thread_id, l.label_id, t.inbox_id, t.last_message_at from message_labels l
      join messages m on m.workspace_id = l.workspace_id and m.id = l.message_id
      join threads t on t.workspace_id = m.workspace_id and t.id = m.thread_id order by 1, 2`,
  );

/** Two that wait for each other are told so, and one of them does it again, as its caller would. */
const again = async (work: () => Promise<unknown>): Promise<void> => {
  for (;;) {
    const error = await work().then(
      () => null,
      (thrown: { code?: string }) => thrown,
    );
    if (error === null) return;
    if (error.code !== '40P01') throw error;
  }
};

test(`the labels kept of threads are those of their messages, whatever happens at once (seed ${seed})`, async () => {
  const inboxId = await store.inbox();
  const messageIds: string[] = [];
  const ids = Array.from({ length: 40 }, (_, number) => `<${number}@x.example>`);
  const work = async (worker: number) => {
    const random = seededRandom(seed + worker);
    const pick = <Item>(items: Item[]): Item => items[Math.floor(random() * items.length)]!;
    for (let step = 0; step < stepsEach; step++) {
      const place = [store.workspaceId, pick(labelIds), pick(messageIds)];
      const kind = random();
      // Any mail may name any other, also one that comes later, so that threads become one.
      if (messageIds.length < 5 || kind < 0.3) {
        const mail = { inboxId, own: pick(ids), named: [pick(ids), pick(ids)] };
        await again(async () => {
          const stored = await store.store(mail);
          if (stored.outcome === 'stored') messageIds.push(stored.messageId);
        });
      } else if (kind < 0.7)
        await again(() =>
          store.rows(
            'insert into message_labels (workspace_id, label_id, message_id, inbox_id) values ($1, $2, $3, $4) on conflict do nothing',
            [...place, inboxId],
          ),
        );
      else
        await again(() =>
          store.rows(
            'delete from message_labels where workspace_id = $1 and label_id = $2 and message_id = $3',
            place,
          ),
        );
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)));
  expect(messageIds.length).toBeGreaterThan(50);
  const expected = await byMessages();
  expect(expected.length).toBeGreaterThan(0);
  expect(await kept()).toEqual(expected);
});
