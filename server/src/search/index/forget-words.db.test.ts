import { type IndexedStore, openIndexedStore } from '@postrider/testkit/database/indexed-store.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../db/connections.ts';
import { removeMessages } from '../../inboxes/remove-messages.ts';
import { createBucketChooser } from './choose-bucket.ts';
import { type IndexSession, indexDocuments } from './index-documents.ts';
import { createDocumentThread } from './index-thread.ts';
import { createLeadership } from './lead.ts';
import { readPending } from './read-documents.ts';
import { forgetWords } from './spare-time.ts';

let index: IndexedStore;
let session: IndexSession;
let inboxId: string;

beforeAll(async () => {
  index = await openIndexedStore();
  inboxId = await index.store.inbox();
});
afterAll(async () => {
  await session?.thread.close();
  await index.close();
});

const add = (text: string) => index.add({ inboxId, message: { subject: 'Animals', body_text: text } });
const words = async () =>
  (await index.store.rows<{ word: string }>('select word from search_words')).map(({ word }) => word);

test('mail that comes while the words of removed messages are forgotten keeps its words, and what was left undone is done later', async () => {
  const animals = ['aardwolf', 'binturong', 'capybara', 'dugong', 'echidna'];
  const gone = await add(animals.join(' '));
  await index.settled();
  await index.stop();
  await inTransaction(index.ctx, (tx) => removeMessages(tx, [gone]));
  const holder = (await createLeadership(index.deps, 'search').hold()) ?? '';
  const { deps } = index;
  session = { holder, thread: createDocumentThread(), chooseBucket: createBucketChooser(deps, holder) };
  let isIndexed = false;
  const indexOne = async () => {
    if (isIndexed) return true;
    isIndexed = true;
    await add(animals.join(' '));
    const size = { messages: 10, bytes: 100_000 };
    const pending = await readPending(deps, [index.store.workspaceId], size);
    expect(await indexDocuments(deps, session, pending)).toBe(1);
    return true;
  };
  expect(await forgetWords(deps, session, { messages: 10, words: 1 }, async () => false)).toBe(true);
  expect(await index.store.rows('select from search_gone')).toHaveLength(1);
  expect(await forgetWords(deps, session, { messages: 10, words: 1 }, indexOne)).toBe(true);
  expect(await words()).toEqual(expect.arrayContaining(animals));
  expect(await forgetWords(deps, session, { messages: 10, words: 1 }, indexOne)).toBe(false);
});
