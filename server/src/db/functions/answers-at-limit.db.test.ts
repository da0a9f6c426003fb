import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stripPlusTag } from '../../lib/email-address.ts';
import { firstIdAt } from '../../lib/ids.ts';

let store: MailStore;

beforeAll(async () => {
  store = await openMailStore();
});
afterAll(() => store.close());

interface Full {
  in: string;
  address: string | null;
  answers: number;
  since: string;
}

const start = Date.UTC(2026, 0, 1);
const timeAt = (position: number) => new Date(start + position * 1_000);

/** Returns the position of the answer that is the `nth` from the end. `<` is a received message and `>` one that is sent. */
const nthAnswer = async (messages: string, nth: number): Promise<number | null> => {
  const sent = [...messages].map((way) => way === '>');
  const times = sent.map((_, position) => timeAt(position));
  const [row] = await store.rows<{ at: Date | null }>('select nth_answer($1, $2, $3) as at', [
    sent,
    times,
    nth,
  ]);
  return row?.at ? (row.at.getTime() - start) / 1_000 : null;
};

test.each([
  ['nothing', '', 1, null],
  ['messages that nobody answers', '>>>>', 1, null],
  ['an exchange whose last message is ours', '<>', 1, null],
  ['an exchange whose last message is theirs', '<><', 1, 1],
  ['fewer answers than asked for', '<><', 2, null],
  ['the second from the end', '<><><><', 2, 3],
  ['one received message and many sent ones', '<>>>><', 2, null],
  ['received messages that are answered later', '<<<>><', 2, 3],
  ['messages before the first received one', '>>><><', 1, 4],
])('answers are counted in %s', async (_case, messages, nth, expected) => {
  expect(await nthAnswer(messages, nth)).toBe(expected);
});

test('there are never more answers than received messages before them', async () => {
  const ways = fc.array(fc.constantFrom('<', '>'), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(ways, fc.integer({ min: 1, max: 6 }), async (list, nth) => {
      const answers: number[] = [];
      for (const [position, way] of list.entries()) {
        const received = list.slice(0, position).filter((before) => before === '<').length;
        if (way === '>' && answers.length < received) answers.push(position);
      }
      const isAnswer = answers.length < list.filter((way) => way === '<').length;
      expect(await nthAnswer(list.join(''), nth)).toBe(isAnswer ? (answers.at(-nth) ?? null) : null);
    }),
    { numRuns: 100 },
  );
});

test('an address loses its plus tag as it does in the server', async () => {
  const part = fc.string({ unit: fc.constantFrom('a', '+', '"', '.', '\\'), maxLength: 8 });
  const address = fc.tuple(part, part).map(([local, domain]) => `${local}@${domain.replaceAll('+', '-')}`);
  await fc.assert(
    fc.asyncProperty(fc.oneof(address, part), async (text) => {
      const [row] = await store.rows<{ bare: string }>('select strip_plus_tag($1) as bare', [text]);
      expect(row?.bare).toBe(stripPlusTag(text));
    }),
    { numRuns: 200, examples: [['a+b+c@x.example'], ['+a@x.example'], ['"a+b"@x.example'], ['']] },
  );
});

test('only messages since the given moment count, and only those of the inbox', async () => {
  const inboxId = await store.inbox();
  const peer = 'peer@remote.example';
  const receive = (position: number, inbox = inboxId) =>
    store.store({ inboxId: inbox, at: timeAt(position), message: { direction: 'inbound', from_addr: peer } });
  const send = (position: number) =>
    store.store({
      inboxId,
      at: timeAt(position),
      message: { direction: 'outbound', from_addr: 'own@postrider.test', to_addrs: [peer] },
    });
  await receive(0);
  await send(1);
  await receive(2);
  await send(3);
  await receive(4);
  await receive(5, await store.inbox());
  const full = async (since: number, most: number, inbox = inboxId) => {
    const [row] = await store.rows<{ full: Full[] | null }>(
      'select answers_at_limit($1, $2, null, array[]::bytea[], $3, $4, $5) as full',
      [store.workspaceId, inbox, [peer, 'other@remote.example'], firstIdAt('msg', timeAt(since)), most],
    );
    return row?.full?.map(({ address, since }) => [address, (Date.parse(since) - start) / 1_000]) ?? null;
  };
  expect(await full(0, 2)).toEqual([[peer, 1]]);
  expect(await full(0, 3)).toEqual([]);
  expect(await full(1, 2)).toEqual([]);
  expect(await full(2, 1)).toEqual([[peer, 3]]);
  expect(await full(5, 1)).toEqual([]);
  expect(await full(0, 1, await store.inbox())).toEqual([]);
});

test('nth_answer_to counts what one peer and one inbox wrote to each other, with its plus tags where asked', async () => {
  const inboxId = await store.inbox();
  const [bare, tagged] = ['tag@remote.example', 'tag+1@remote.example'];
  const mail = (position: number, direction: 'inbound' | 'outbound', peer: string, inbox = inboxId) =>
    store.store({
      inboxId: inbox,
      at: timeAt(position),
      message:
        direction === 'inbound'
          ? { direction, from_addr: peer }
          : { direction, from_addr: 'own@postrider.test', to_addrs: [peer] },
    });
  for (const position of [0, 2, 4]) await mail(position, 'inbound', bare);
  for (const position of [1, 3]) await mail(position, 'outbound', bare);
  for (const [position, way] of [
    [5, 'inbound'],
    [6, 'outbound'],
  ] as const)
    await mail(position, way, tagged);
  const other = await store.inbox();
  await mail(7, 'inbound', bare, other);
  const nthTo = async (
    nth: number,
    { peer = bare, tags = false, inbox = inboxId, since = 0, depth = 20 } = {},
  ) => {
    const [row] = await store.rows<{ at: Date | null }>(
      'select nth_answer_to($1, $2, $3, $4, $5, $6, $7) as at',
      [store.workspaceId, inbox, peer, tags, firstIdAt('msg', timeAt(since)), nth, depth],
    );
    return row?.at ? (row.at.getTime() - start) / 1_000 : null;
  };
  expect([await nthTo(1), await nthTo(2), await nthTo(3)]).toEqual([3, 1, null]);
  // With its tags there is one more answer.
  expect([await nthTo(1, { tags: true }), await nthTo(3, { tags: true })]).toEqual([6, 1]);
  // Of the last four messages only one is an answer.
  expect([await nthTo(2, { depth: 4 }), await nthTo(2, { depth: 5 })]).toEqual([null, 1]);
  expect([await nthTo(1, { since: 4 }), await nthTo(1, { since: 2 })]).toEqual([null, 3]);
  expect(await nthTo(1, { inbox: other })).toBeNull();
  expect(await nthTo(1, { peer: 'nobody@remote.example' })).toBeNull();
  const elsewhere = await store.rows('select nth_answer_to($1, $2, $3, false, $4, 1, 20) as at', [
    'wsp_other',
    inboxId,
    bare,
    firstIdAt('msg', timeAt(0)),
  ]);
  expect(elsewhere).toEqual([{ at: null }]);
});
