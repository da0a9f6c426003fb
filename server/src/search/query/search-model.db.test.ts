/*
 * A search is compared with a scan of all live messages in JavaScript, while mail comes, is deleted, labelled and read, and threads merge.
 * Buckets have a few messages here, so that every page crosses many of them.
 */
import type { ListMessages } from '@postrider/contract';
import { createSmallBuckets } from '@postrider/testkit/database/small-buckets.ts';
import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { seededRandom } from '@postrider/testkit/lib/seeded-random.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../../context.ts';
import { createTimeScale, systemClock } from '../../lib/clock.ts';
import { encodeCursor } from '../../lib/cursor.ts';
import { newId } from '../../lib/ids.ts';
import { wholeWorkspace } from '../../lib/scope.ts';
import { searchLimits } from './match-slice.ts';
import { findSearchPage } from './search-messages.ts';

interface Mail {
  id: string;
  threadId: string;
  inboxId: string;
  from: string;
  subject: string;
  text: string;
  fileName: string | null;
  isLabelled: boolean;
  isRead: boolean;
}

interface Query {
  text: string;
  filters: Pick<ListMessages, 'inbox_id' | 'label_id' | 'thread_id' | 'read' | 'has_attachment'>;
  matches(mail: Mail): boolean;
}

const labelId = 'lbl_01m7yyvjvwe8jaq5tas174ywtc';
/**
 * The words of a family are forms of one word. The first families are in most mails and the last ones in few. The vocabulary has no single
 * characters and no codes of links.
 */
const families = [
  ['update', 'updates', 'updated'],
  ['order', 'orders', 'ordered'],
  ['7'],
  ['invoice', 'invoices', 'invoiced'],
  ['4u9z2b7c1d8e5f3g'],
  ['refund', 'refunds', 'refunded'],
  ['connect', 'connects', 'connected'],
  ['größe'],
  ['2026'],
  ['zebra', 'zebras'],
];
const people = ['ada@example.com', 'bob@mail.example.org', 'eve@example.net'];

const random = seededRandom(20);
const below = (max: number) => Math.floor(random() * max);
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
const chance = (share: number) => random() < share;

const usual = structuredClone(searchLimits);
const live: Mail[] = [];
let store: MailStore;
let ctx: Context;
let inboxes: string[];
let index: ReturnType<typeof createSmallBuckets>;

beforeAll(async () => {
  store = await openMailStore();
  const stopping = new AbortController().signal;
  const { deps, workspaceId } = store;
  ctx = {
    ...deps,
    workspaceId,
    scope: wholeWorkspace,
    stopping,
    clock: systemClock,
    timeScale: createTimeScale(1),
  } as unknown as Context;
  inboxes = [await store.inbox(), await store.inbox()];
  index = createSmallBuckets(store, 6);
  await store.rows(
    `insert into labels (workspace_id, id, name, name_key, created_at) values ($1, $2, 'Big', 'big', now())`,
    [workspaceId, labelId],
  );
});
afterAll(async () => {
  Object.assign(searchLimits, usual);
  await store.close();
});

const pickWord = () => pick(pick(families.slice(0, 1 + below(families.length))));

async function receive(): Promise<void> {
  const reply = live.length > 0 && chance(0.3) ? pick(live) : null;
  const inboxId = reply?.inboxId ?? pick(inboxes);
  const mail: Mail = {
    id: newId('msg'),
    inboxId,
    threadId: reply?.threadId ?? newId('thr'),
    from: pick(people),
    subject: chance(0.5) ? `${pickWord()} subject` : 'subject',
    text: Array.from({ length: 1 + below(6) }, pickWord).join(' '),
    fileName: chance(0.2) ? `${pickWord()}-list.pdf` : null,
    isLabelled: false,
    isRead: false,
  };
  const { subject, from, threadId } = mail;
  const outcome = await store.store({
    inboxId,
    message: {
      id: mail.id,
      subject,
      from_addr: from,
      body_text: mail.text,
      has_attachments: mail.fileName !== null,
    },
    record: reply ? { threadId } : { newThreadId: threadId },
  });
  expect(outcome).toBeTruthy();
  await index(mail);
  live.push(mail);
}

async function remove(mail: Mail): Promise<void> {
  live.splice(live.indexOf(mail), 1);
  for (const table of ['search_messages', 'message_labels'])
    await store.rows(`delete from ${table} where workspace_id = $1 and message_id = $2`, [
      store.workspaceId,
      mail.id,
    ]);
  await store.rows('delete from messages where workspace_id = $1 and id = $2', [store.workspaceId, mail.id]);
}

async function label(mail: Mail): Promise<void> {
  const key = [store.workspaceId, labelId, mail.id];
  if (mail.isLabelled)
    await store.rows(
      'delete from message_labels where workspace_id = $1 and label_id = $2 and message_id = $3',
      key,
    );
  else
    await store.rows(
      'insert into message_labels (workspace_id, label_id, message_id, inbox_id) values ($1, $2, $3, $4)',
      [...key, mail.inboxId],
    );
  mail.isLabelled = !mail.isLabelled;
}

async function read(mail: Mail): Promise<void> {
  mail.isRead = !mail.isRead;
  await store.rows('update messages set is_read = $3 where workspace_id = $1 and id = $2', [
    store.workspaceId,
    mail.id,
    mail.isRead,
  ]);
}

async function merge(into: Mail, from: Mail): Promise<void> {
  if (into.inboxId !== from.inboxId || into.threadId === from.threadId) return;
  const { threadId } = from;
  await store.rows('update messages set thread_id = $3 where workspace_id = $1 and thread_id = $2', [
    store.workspaceId,
    threadId,
    into.threadId,
  ]);
  for (const mail of live) if (mail.threadId === threadId) mail.threadId = into.threadId;
}

const change = [
  () => receive(),
  () => receive(),
  () => remove(pick(live)),
  () => label(pick(live)),
  () => read(pick(live)),
  () => merge(pick(live), pick(live)),
];

const fold = (text: string) => text.replaceAll('ö', 'o').replaceAll('ß', 'ss');
const splitWords = ({ subject, text, from, fileName }: Mail) =>
  fold(`${subject} ${from} ${fileName ?? ''} ${text}`).split(/[^a-z0-9]+/);
const wordForms = (word: string) => (families.find((family) => family.includes(word)) ?? [word]).map(fold);
const hasWord = (mail: Mail, word: string) => splitWords(mail).some((one) => wordForms(word).includes(one));

type Part = Pick<Query, 'text' | 'matches'>;
const parts: (() => Part)[] = [
  () => word(pickWord()),
  () => word(pickWord()),
  () => not(word(pickWord())),
  () => phrase(pickWord(), pickWord()),
  () => from(pick(people)),
  () => ({ text: 'has:attachment', matches: ({ fileName }) => fileName !== null }),
  () => ({ text: 'label:BIG', matches: ({ isLabelled }) => isLabelled }),
  () => ({ text: '-label:big', matches: ({ isLabelled }) => !isLabelled }),
  () => inSubject(pickWord()),
  () => ({ text: 'filename:pdf', matches: ({ fileName }) => fileName !== null }),
];
const word = (one: string): Part => ({ text: one, matches: (mail) => hasWord(mail, one) });
const not = ({ text, matches }: Part): Part => ({ text: `-${text}`, matches: (mail) => !matches(mail) });
const phrase = (one: string, other: string): Part => ({
  text: `"${one} ${other}"`,
  matches: ({ text }) => ` ${text} `.includes(` ${one} ${other} `),
});
const from = (address: string): Part => ({
  text: chance(0.5) ? `from:${address}` : `from:${address.split('@')[0]}`,
  matches: (mail) => mail.from === address,
});
const inSubject = (one: string): Part => ({
  text: `subject:${one}`,
  matches: ({ subject }) => wordForms(one).includes(fold(subject.split(' ')[0] ?? '')),
});

function makeQuery(): Query {
  const all = Array.from({ length: 1 + below(3) }, () => pick(parts)());
  const [inboxId, threadId, isRead] = [pick(inboxes), pick(live).threadId, chance(0.5)];
  const filters: [Query['filters'], (mail: Mail) => boolean] = pick([
    [{}, () => true],
    [{}, () => true],
    [{ inbox_id: inboxId }, (mail) => mail.inboxId === inboxId],
    [{ label_id: labelId }, (mail) => mail.isLabelled],
    [{ thread_id: threadId }, (mail) => mail.threadId === threadId],
    [{ read: isRead, inbox_id: inboxId }, (mail) => mail.isRead === isRead && mail.inboxId === inboxId],
    [{ has_attachment: false }, ({ fileName }) => fileName === null],
  ]);
  return {
    // A space at the end says that the last word is complete.
    text: `${all.map(({ text }) => text).join(' ')} `,
    filters: filters[0],
    matches: (mail) => filters[1](mail) && all.every(({ matches }) => matches(mail)),
  };
}

interface Hit {
  id: string;
  score: number;
  threadId: string;
}

/** Reads all pages of a search, and calls `between` after each. */
async function readAll(
  query: Query,
  limit: number,
  between: () => Promise<void>,
  isOfThreads = false,
): Promise<Hit[]> {
  const found: Hit[] = [];
  for (let cursor: string | undefined, pages = 0; ; pages += 1) {
    const { text, filters } = query;
    const page = await findSearchPage(ctx, {
      query: text,
      filters,
      cursor,
      limit,
      mode: 'keyword',
      isOfThreads,
    });
    found.push(
      ...page.hits.map(({ details, score }) => ({
        id: details.row.id,
        score,
        threadId: details.row.thread_id,
      })),
    );
    expect(page.hits.length).toBeLessThanOrEqual(limit);
    if (page.next === null) return found;
    expect(pages).toBeLessThan(500);
    cursor = encodeCursor(page.keysAt(page.next));
    await between();
  }
}

/** Messages with all that the query asks for are in the upper half. */
const complete = (hits: Hit[]) => hits.filter(({ score }) => score >= 0.5).map(({ id }) => id);

test.each([
  ['in small steps', { rowsMax: 25, rankedMin: 10 }],
  [
    'with hardly any budget',
    {
      rowsMax: 12,
      rankedMin: 5,
      examinedMax: 8,
    },
  ],
  ['at once', {}],
])('a search finds what a scan of all messages finds: %s', async (_, limits) => {
  Object.assign(searchLimits, structuredClone(usual), limits);
  for (let count = 0; count < 30; count += 1) await receive();
  for (let step = 0; step < 25; step += 1) {
    for (let count = 0; count < 4; count += 1) await pick(change)();
    const query = makeQuery();
    const expected = live.filter(query.matches).map(({ id }) => id);
    const found = await readAll(query, 1 + below(12), async () => {});
    const ids = found.map(({ id }) => id);
    expect(new Set(ids).size, query.text).toBe(ids.length);
    expect(complete(found).toSorted(), JSON.stringify(query)).toEqual(expected.toSorted());
  }
});

test('pages hold every message once while mail comes and goes between them', async () => {
  Object.assign(searchLimits, structuredClone(usual), {
    rowsMax: 25,
    rankedMin: 10,
  });
  for (let step = 0; step < 8; step += 1) {
    const query = { ...makeQuery(), filters: {} };
    const wanted = word(pickWord());
    Object.assign(query, wanted);
    const before = live.filter(wanted.matches);
    const found = await readAll(query, 3, () => (chance(0.5) ? receive() : remove(pick(live))));
    const ids = complete(found);
    expect(new Set(ids).size).toBe(ids.length);
    const kept = before.filter((mail) => live.includes(mail)).map(({ id }) => id);
    expect(kept.filter((id) => !ids.includes(id))).toEqual([]);
    const known = new Set(before.map(({ id }) => id));
    expect(ids.filter((id) => !known.has(id))).toEqual([]);
  }
});

test('a search of threads finds each thread with a match once', async () => {
  Object.assign(searchLimits, structuredClone(usual), {
    rowsMax: 25,
    rankedMin: 10,
  });
  for (let step = 0; step < 8; step += 1) {
    const query = { ...word(pickWord()), filters: {} };
    const found = await readAll(query, 1 + below(5), async () => {}, true);
    const threads = found.map(({ threadId }) => threadId);
    expect(new Set(threads).size).toBe(threads.length);
    const expected = new Set(live.filter(query.matches).map(({ threadId }) => threadId));
    expect(threads.toSorted()).toEqual([...expected].toSorted());
  }
});
