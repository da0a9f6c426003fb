import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

const mailsCount = 30;

let server: TestServer;
let inbox: Inbox;

beforeAll(async () => {
  server = await joinTestServer();
  inbox = await server.inbox();
  const numbers = Array.from({ length: mailsCount }, (_, number) => number);
  await Promise.all(
    numbers.map((number) =>
      receive(`Part ${number}`, `${'sprocket '.repeat(1 + (number % 7))} ${number % 2 ? 'axle' : 'chain'}`),
    ),
  );
  await server.indexed();
});
afterAll(() => server.stop());

const receive = (subject: string, text: string) =>
  sendMail(server.smtpPort, { from: 'ada@example.com', to: inbox.address, subject, text });

const search = (query: string, limit: number, cursor?: string) =>
  server.client.messages.search(query, { inbox_id: inbox.id, limit, ...(cursor && { cursor }) });

test('Messages 6: pages hold every hit once, in the order of one long page', async () => {
  const whole = await search('sprocket', 100);
  expect([whole.messages.length, whole.next_cursor]).toEqual([mailsCount, null]);
  const scores = whole.messages.map(({ score }) => score ?? 0);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  const pages = await server.client.messages
    .search('sprocket', { inbox_id: inbox.id, limit: 4 })
    .toArray({ limit: 100 });
  expect(pages.map(({ id }) => id)).toEqual(whole.messages.map(({ id }) => id));
});

test('Messages 6: mail that comes, is deleted or changes the vocabulary moves nothing from one page to another', async () => {
  const query = 'chain sproc';
  const expected = (await search(query, 100)).messages.map(({ id }) => id);
  const seen: string[] = [];
  const deleted = new Set<string>();
  let cursor: string | null = null;
  for (let page = 0; page === 0 || cursor; page += 1) {
    const { messages, next_cursor } = await search(query, 3, cursor ?? undefined);
    seen.push(...messages.map(({ id }) => id));
    cursor = next_cursor;
    await receive(`New ${page}`, `chain sprocket sprockets${page} sprocs chain chain`);
    const victim = expected.findLast((id) => !seen.includes(id) && !deleted.has(id));
    if (victim && page < 3) {
      deleted.add(victim);
      await server.client.messages.delete(victim);
    }
    await server.indexed();
  }
  expect(seen).toEqual(expected.filter((id) => !deleted.has(id)));
});

test('Messages 6: hits without all words follow on the next pages, too', async () => {
  // How much a word tells depends on how many messages have it, so removed mail has to be out of the counts before two searches compare.
  const isForgotten = async () => (await server.rows('select from search_gone limit 1')).length === 0;
  await eventually('the words of deleted mail to be forgotten', isForgotten);
  const whole = await search('axle sprocket chain', 100);
  expect(whole.messages.length).toBeGreaterThan(10);
  expect(whole.messages.every(({ score }) => (score ?? 1) < 0.5)).toBe(true);
  const pages = await server.client.messages
    .search('axle sprocket chain', { inbox_id: inbox.id, limit: 7 })
    .toArray({ limit: 100 });
  expect(pages.map(({ id }) => id)).toEqual(whole.messages.map(({ id }) => id));
});

test('Interface 2: a cursor belongs to its search', async () => {
  const { next_cursor: cursor } = await search('sprocket', 2);
  const { next_cursor: listed } = await server.client.messages.list({ limit: 2 });
  const status = async (query: Record<string, string>) =>
    (await server.request(`/v1/messages?${new URLSearchParams(query)}`)).status;
  expect(await status({ query: 'sprocket', cursor: cursor ?? '' })).toBe(200);
  expect(await status({ query: 'sprockets', cursor: cursor ?? '' })).toBe(400);
  expect(await status({ cursor: cursor ?? '' })).toBe(400);
  expect(await status({ query: 'sprocket', cursor: listed ?? '' })).toBe(400);
  expect(await status({ query: 'sprocket', cursor: `${cursor}a` })).toBe(400);
});

test('Messages 6: a query of very many terms has pages like any other', async () => {
  const runs = Array.from({ length: 32 }, (_, run) =>
    Array.from({ length: 15 }, (_, at) => String.fromCodePoint(0x4e00 + 97 * run + 5 * at)).join(''),
  );
  const query = runs.join(' ');
  await Promise.all([1, 2, 3].map((number) => receive(`Sentences ${number}`, query)));
  await server.indexed();
  const found = await server.client.messages
    .search(query, { inbox_id: inbox.id, limit: 1 })
    .toArray({ limit: 10 });
  expect(found.map(({ subject }) => subject).toSorted()).toEqual([
    'Sentences 1',
    'Sentences 2',
    'Sentences 3',
  ]);
});
