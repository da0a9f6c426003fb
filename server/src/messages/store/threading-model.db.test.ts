import { type MailStore, openMailStore, type StoredMail } from '@postrider/testkit/database/stored-mail.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../lib/ids.ts';

const awaitedMax = 20;

/** One mail of a made-up conversation. */
interface Mail {
  own: string;
  /** In-Reply-To, then References from the right. */
  named: string[];
}

/** A thread of the model, named by the mail that began it. */
interface ModelThread {
  begun: number;
  mails: number[];
  awaits: Set<string>;
}

/** The rules of threads, as naively as they can be written: the thread of each mail, and the mails that began one. */
const modelThreads = (mails: Mail[]): { threadOf: number[]; begins: number[] } => {
  let threads: ModelThread[] = [];
  const begins: number[] = [];
  for (const [index, mail] of mails.entries()) {
    const arrived = mails.slice(0, index);
    const named = [...new Set(mail.named)].filter((id) => id !== mail.own);
    // Among mails with the same id the first that arrived is meant.
    const known = [...named, mail.own].find((id) => arrived.some(({ own }) => own === id));
    const meant = arrived.findIndex(({ own }) => own === known);
    const waiting = threads.filter((thread) => thread.awaits.has(mail.own));
    // A mail that names nothing that is there joins the oldest thread that waits for the same.
    const waitsToo =
      known === undefined ? threads.find((thread) => named.some((id) => thread.awaits.has(id))) : undefined;
    const together = threads.filter(
      (thread) => waiting.includes(thread) || thread.mails.includes(meant) || thread === waitsToo,
    );
    if (together.length === 0) begins.push(index);
    const [thread = { begun: index, mails: [], awaits: new Set<string>() }, ...younger] = together;
    for (const other of younger) {
      thread.mails.push(...other.mails);
      for (const id of other.awaits) thread.awaits.add(id);
    }
    threads = [...threads.filter((each) => !together.includes(each)), thread].sort(
      (x, y) => x.begun - y.begun,
    );
    thread.mails.push(index);
    thread.awaits.delete(mail.own);
    const unknown = named.filter((id) => !arrived.some(({ own }) => own === id));
    for (const id of unknown.slice(0, awaitedMax)) thread.awaits.add(id);
  }
  const threadOf = mails.map((_, index) => threads.find((each) => each.mails.includes(index))?.begun ?? -1);
  return { threadOf, begins };
};

const idOf = (number: number) => `<${number}@conversation.example>`;

/** Mails that name any others: themselves, none, later ones, ones that never come, and ids that several mails bear. */
const tangle = fc
  .array(fc.record({ own: fc.nat(11), named: fc.array(fc.nat(14), { maxLength: 5 }) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((mails) => mails.map(({ own, named }): Mail => ({ own: idOf(own), named: named.map(idOf) })));

/** A conversation as mail programs make it, in any order: each mail but the first names its parent and some before that. */
const conversation = fc
  .array(fc.record({ parent: fc.nat(), others: fc.array(fc.nat(), { maxLength: 4 }) }), {
    minLength: 1,
    maxLength: 11,
  })
  .map((answers): Mail[] => [
    { own: idOf(0), named: [] },
    ...answers.map(({ parent, others }, index) => ({
      own: idOf(index + 1),
      named: [parent, ...others].map((number) => idOf(number % (index + 1))),
    })),
  ])
  .chain((mails) => fc.shuffledSubarray(mails, { minLength: mails.length }));

let store: MailStore;

beforeAll(async () => {
  store = await openMailStore();
});

afterAll(() => store.close());

/** The fields that a mail is stored with, so that it can be found afterwards; the older of two mails comes first in the order of ids. */
const prepare = (inboxId: string, { own, named }: Mail, at: Date): StoredMail => ({
  inboxId,
  own,
  named,
  at,
  message: { id: newId('msg', at) },
  record: { newThreadId: newId('thr', at) },
});

/** Gives the mails an inbox of their own, and times in the order of `mails`. */
const prepareAll = async (mails: Mail[]): Promise<StoredMail[]> => {
  const inboxId = await store.inbox();
  const start = Date.now();
  return mails.map((mail, index) => prepare(inboxId, mail, new Date(start + index)));
};

/** Stores the mails one by one in an inbox of their own. */
const storeAll = async (mails: Mail[]): Promise<StoredMail[]> => {
  const prepared = await prepareAll(mails);
  for (const mail of prepared) await store.store(mail);
  return prepared;
};

/** Expects that what was stored is as the model has it, whose mails arrived in this order. */
const expectAsModelled = async (mails: Mail[], stored: StoredMail[]): Promise<void> => {
  const model = modelThreads(mails);
  const begun = stored.map(({ record }) => record?.newThreadId);
  const expected = model.threadOf.map((thread) => begun[thread]);
  const rows = await store.rows<{ id: string; thread_id: string }>(
    'select id, thread_id from messages where inbox_id = $1',
    [stored[0]?.inboxId],
  );
  expect(new Map(rows.map((row) => [row.id, row.thread_id]))).toEqual(
    new Map(stored.map(({ message }, index) => [message?.id, expected[index]])),
  );
  const threads = await store.rows<{ id: string; message_count: number }>(
    'select id, message_count from threads where inbox_id = $1',
    [stored[0]?.inboxId],
  );
  const counts = new Map<string | undefined, number>();
  for (const thread of expected) counts.set(thread, (counts.get(thread) ?? 0) + 1);
  expect(new Map(threads.map((thread) => [thread.id, thread.message_count]))).toEqual(counts);
  const aliases = await store.rows<{ id: string; thread_id: string }>(
    'select id, thread_id from thread_aliases where id = any($1)',
    [begun],
  );
  const answers = new Map(aliases.map((alias) => [alias.id, alias.thread_id]));
  for (const index of model.begins) {
    const thread = begun[index] ?? '';
    expect(answers.get(thread) ?? thread).toBe(expected[index]);
  }
};

const runs = () => ({ numRuns: 150 });

describe('Threads', () => {
  test('mails in any order join and merge as the rules say, and merged ids keep answering', async () => {
    await fc.assert(
      fc.asyncProperty(tangle, async (mails) => expectAsModelled(mails, await storeAll(mails))),
      runs(),
    );
  });

  test('mails that are stored together join and merge as if they had come one by one', async () => {
    await fc.assert(
      fc.asyncProperty(tangle, fc.nat(12), async (mails, alone) => {
        const prepared = await prepareAll(mails);
        for (const mail of prepared.slice(0, alone)) await store.store(mail);
        const batch = prepared.slice(alone);
        const outcomes = await store.storeBatch(batch);
        expect(outcomes.map(({ outcome }) => outcome)).toEqual(batch.map(() => 'stored'));
        await expectAsModelled(mails, prepared);
      }),
      runs(),
    );
  });

  test('a conversation whose mails name their parents ends in one thread, whatever order they come in', async () => {
    await fc.assert(
      fc.asyncProperty(conversation, async (mails) => {
        const [first] = await storeAll(mails);
        const threads = await store.rows<{ message_count: number }>(
          'select message_count from threads where inbox_id = $1',
          [first?.inboxId],
        );
        expect(threads).toEqual([{ message_count: mails.length }]);
      }),
      runs(),
    );
  });
});
