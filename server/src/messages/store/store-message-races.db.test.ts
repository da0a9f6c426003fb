import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let store: MailStore;

const times = () => Array.from({ length: 100 }, (_, index) => index);

beforeAll(async () => {
  store = await openMailStore(20);
});

afterAll(() => store.close());

const threadOf = async (inboxId: string): Promise<Map<string, string>> => {
  const rows = await store.rows<{ message_id_header: string; thread_id: string }>(
    'select message_id_header, thread_id from messages where inbox_id = $1',
    [inboxId],
  );
  return new Map(rows.map((row) => [row.message_id_header, row.thread_id]));
};

const threadCount = async (inboxId: string): Promise<number> =>
  new Set((await threadOf(inboxId)).values()).size;

/** The rules that hold for an inbox whatever was stored at once. */
const expectWhole = async (inboxId: string): Promise<void> => {
  const miscounted = await store.rows(
    `select t.id, t.message_count, count(m.id) from threads t left join messages m
       on m.workspace_id = t.workspace_id and m.thread_id = t.id
     where t.inbox_id = $1 group by t.workspace_id, t.id having t.message_count <> count(m.id)`,
    [inboxId],
  );
  expect(miscounted).toEqual([]);
  const homeless = await store.rows(
    'select id from messages m where inbox_id = $1 and not exists (select from threads t where t.id = m.thread_id)',
    [inboxId],
  );
  expect(homeless).toEqual([]);
  const missed = await store.rows(
    'select a.* from awaited_ids a join message_ids i using (workspace_id, inbox_id, hash) where a.inbox_id = $1',
    [inboxId],
  );
  expect(missed).toEqual([]);
  const lost = await store.rows(
    `select * from thread_aliases a where not exists (select from threads t where t.id = a.thread_id)`,
  );
  expect(lost).toEqual([]);
};

/** Runs work for every item, so many at a time, and fails with the first error once all have ended. */
const inParallel = async <Item>(
  items: Item[],
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> => {
  const left = [...items];
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  const results = await Promise.allSettled(Array.from({ length: atOnce }, lane));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
};

const shuffled = <Item>(items: Item[]): Item[] =>
  items
    .map((item) => ({ item, rank: Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);

describe('mails that are stored at the same time', () => {
  test('a parent and its answer end in one thread, again and again', async () => {
    const inboxId = await store.inbox();
    await inParallel(times(), 5, async (index) => {
      const parent = { inboxId, own: `<parent-${index}@race>` };
      const answer = { inboxId, own: `<answer-${index}@race>`, named: [parent.own] };
      await Promise.all(shuffled([parent, answer]).map((mail) => store.store(mail)));
    });
    const threads = await threadOf(inboxId);
    const apart = times().filter(
      (index) => threads.get(`<parent-${index}@race>`) !== threads.get(`<answer-${index}@race>`),
    );
    expect(apart).toEqual([]);
    await expectWhole(inboxId);
  });

  test('50 answers to one mail end in its thread, which counts 51', async () => {
    const inboxId = await store.inbox();
    await store.store({ inboxId, own: '<one@parent>' });
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        store.store({ inboxId, own: `<answer-${index}@one>`, named: ['<one@parent>'] }),
      ),
    );
    expect(await store.rows('select message_count from threads where inbox_id = $1', [inboxId])).toEqual([
      { message_count: 51 },
    ]);
    await expectWhole(inboxId);
  });

  test('50 answers and the mail that all of them wait for end in one thread', async () => {
    const inboxId = await store.inbox();
    const answers = Array.from({ length: 50 }, (_, index) => ({
      inboxId,
      own: `<early-${index}@one>`,
      named: ['<late@parent>'],
    }));
    await Promise.all(
      shuffled([...answers, { inboxId, own: '<late@parent>' }]).map((mail) => store.store(mail)),
    );
    expect(await threadCount(inboxId)).toBe(1);
    await expectWhole(inboxId);
  });

  test('an answer into a thread that is being merged away follows it, again and again', async () => {
    const inboxId = await store.inbox();
    await inParallel(times(), 4, async (index) => {
      const id = (name: string) => `<${name}-${index}@merge>`;
      await store.store({ inboxId, own: id('root') });
      await store.store({ inboxId, own: id('child'), named: [id('middle')] });
      await Promise.all([
        store.store({ inboxId, own: id('middle'), named: [id('root')] }),
        store.store({ inboxId, own: id('answer'), named: [id('child')] }),
        store.store({ inboxId, own: id('other'), named: [id('child'), id('unknown')] }),
      ]);
    });
    expect(await threadCount(inboxId)).toBe(times().length);
    await expectWhole(inboxId);
  });

  test('two merges that share a thread end in one, again and again', async () => {
    const inboxId = await store.inbox();
    await inParallel(times(), 4, async (index) => {
      const id = (name: string) => `<${name}-${index}@two>`;
      await store.store({ inboxId, own: id('a'), named: [id('x')] });
      await store.store({ inboxId, own: id('b'), named: [id('x'), id('y')] });
      await store.store({ inboxId, own: id('c'), named: [id('y')] });
      await Promise.all([store.store({ inboxId, own: id('x') }), store.store({ inboxId, own: id('y') })]);
    });
    expect(await threadCount(inboxId)).toBe(times().length);
    await expectWhole(inboxId);
  });

  test('20 writers of 500 mails that name each other at random neither block nor lose each other', async () => {
    const inboxId = await store.inbox();
    const conversations = Array.from({ length: 25 }, (_, number) => {
      const id = (index: number) => `<${index}@conversation-${number}>`;
      return Array.from({ length: 20 }, (_unused, index) => {
        const ancestors = Array.from({ length: index }, (_none, older) => id(older));
        const parent = ancestors[Math.floor(Math.random() * ancestors.length)];
        const others = shuffled([...ancestors, `<lost-${index % 3}@conversation-${number}>`]).slice(0, 5);
        return { inboxId, own: id(index), named: [...(parent ? [parent] : []), ...others] };
      });
    });
    await inParallel(shuffled(conversations.flat()), 20, (mail) => store.store(mail));
    const threads = await threadOf(inboxId);
    expect(threads.size).toBe(500);
    const split = conversations.filter((mails) => new Set(mails.map(({ own }) => threads.get(own))).size > 1);
    expect(split).toEqual([]);
    await expectWhole(inboxId);
  });
});
