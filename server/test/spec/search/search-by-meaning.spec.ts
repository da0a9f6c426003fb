import { joinTestServer, startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

let server: TestServer;
let inbox: Inbox;
let second: Inbox;

const mails = [
  ['Holiday request', 'I would like to take some vacation in August, two weeks at the beach.'],
  ['Physician', 'My doctor moved the appointment at the hospital to Thursday morning.'],
  ['Car', 'The automobile needs a new engine, says the garage mechanic.'],
  ['Order 4471-B', 'Your order 4471-B was shipped with the truck this morning.'],
  ['Wedding', 'We are getting married in spring, and the ceremony is in the old church.'],
  ['Salary', 'The wages of all employees will be paid on Friday.'],
] as const;

beforeAll(async () => {
  server = await joinTestServer();
  inbox = await server.inbox();
  second = await server.inbox();
  for (const [subject, text] of mails) await receive(inbox, subject, text);
  await receive(second, 'Leave', 'Another vacation at the beach, in another inbox.');
  await server.indexed();
  await vi.waitFor(
    async () => expect((await find('vacation beach', 'semantic', {})).messages.length).toBeGreaterThan(1),
    { timeout: 300_000, interval: 50 },
  );
});
afterAll(() => server.stop());

const receive = (to: Inbox, subject: string, text: string) =>
  sendMail(server.smtpPort, { from: 'ada@example.com', to: to.address, subject, text });

const find = (query: string, mode: 'semantic' | 'hybrid', options: object = { inbox_id: inbox.id }) =>
  server.client.messages.search(query, { mode, ...options });
const subjects = ({ messages }: { messages: { subject: string }[] }) =>
  messages.map(({ subject }) => subject);

test('Messages 6: semantic search finds messages that share no word with the query, the nearest first', async () => {
  for (const [query, subject] of [
    ['trip to the seaside', 'Holiday request'],
    ['medical clinic', 'Physician'],
    ['vehicle repair', 'Car'],
    ['bride and groom', 'Wedding'],
  ] as const) {
    const page = await find(query, 'semantic');
    expect([page.mode_used, page.fallback_reason, subjects(page)[0]]).toEqual([
      'semantic',
      undefined,
      subject,
    ]);
    const scores = page.messages.map(({ score }) => score ?? 0);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
  }
});

test('Messages 6: semantic search keeps what is far from the query out of the results', async () => {
  expect(subjects(await find('medical clinic', 'semantic'))).not.toContain('Order 4471-B');
  expect((await find('🜁🜂🜃', 'semantic')).messages).toEqual([]);
});

test('Messages 6: hybrid search puts messages with all words first, and adds those that are near', async () => {
  const number = await find('4471-B', 'hybrid');
  expect([number.mode_used, subjects(number)[0]]).toEqual(['hybrid', 'Order 4471-B']);
  expect(subjects(await find('wages', 'hybrid'))[0]).toBe('Salary');
  expect(subjects(await find('vehicle repair', 'hybrid'))).toContain('Car');
});

test('Messages 6: filters, operators and phrases hold for semantic and hybrid search', async () => {
  for (const mode of ['semantic', 'hybrid'] as const) {
    expect(subjects(await find('vacation beach', mode, { inbox_id: second.id }))).toEqual(['Leave']);
    expect(subjects(await find('vacation -august', mode, {}))).not.toContain('Holiday request');
    expect(subjects(await find('"two weeks" sea', mode))).toEqual(['Holiday request']);
    expect(subjects(await find('from:nobody@example.com vacation', mode))).toEqual([]);
    const [holiday] = (await find('vacation', mode)).messages;
    await server.client.messages.update(holiday?.id ?? '', { add_labels: [`rare-${mode}`] });
    expect(subjects(await find(`label:rare-${mode} the sea`, mode))).toEqual(['Holiday request']);
    const operators = await find('subject:car', mode);
    expect([operators.mode_used, subjects(operators)]).toEqual([mode, ['Car']]);
  }
});

test('Messages 6: pages of semantic and hybrid search neither repeat nor skip, and belong to their mode', async () => {
  for (const mode of ['semantic', 'hybrid'] as const) {
    const query = 'vacation doctor automobile wages';
    const all = await find(query, mode);
    expect(all.messages.length).toBeGreaterThan(2);
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await find(query, mode, { inbox_id: inbox.id, limit: 1, ...(cursor && { cursor }) });
      paged.push(...page.messages.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
      if (paged.length === 1 && cursor)
        for (const other of ['keyword', mode === 'semantic' ? 'hybrid' : 'semantic'])
          expect(
            (await server.request(`/v1/messages?${new URLSearchParams({ query, mode: other, cursor })}`))
              .status,
          ).toBe(400);
    } while (cursor);
    expect(paged).toEqual(all.messages.map(({ id }) => id));
  }
});

test('Interface 4 GET /threads: semantic search returns each thread once, with its nearest message', async () => {
  const { threads, mode_used } = await server.client.threads.search('medical clinic', {
    mode: 'semantic',
    inbox_id: inbox.id,
  });
  expect([mode_used, threads[0]?.messages?.[0]?.subject]).toEqual(['semantic', 'Physician']);
  expect(new Set(threads.map(({ id }) => id)).size).toBe(threads.length);
});

test('Interface 4 GET /threads: a label and whether a thread is read restrict a search in every mode', async () => {
  const [holiday] = (await find('vacation', 'semantic')).messages;
  await server.client.messages.update(holiday?.id ?? '', { add_labels: ['of-thread'], read: true });
  const [label] = (await server.client.labels.list({ name: 'of-thread' })).labels;
  const found = async (mode: 'keyword' | 'semantic' | 'hybrid', options: object) =>
    (await server.client.threads.search('vacation', { mode, ...options })).threads.map(
      ({ subject }) => subject,
    );
  for (const mode of ['keyword', 'semantic', 'hybrid'] as const) {
    expect(await found(mode, { label_id: label?.id })).toEqual(['Holiday request']);
    expect(await found(mode, { label_id: label?.id, inbox_id: second.id })).toEqual([]);
    expect(await found(mode, { read: true, inbox_id: inbox.id })).toEqual(['Holiday request']);
    expect(await found(mode, { read: false })).not.toContain('Holiday request');
    expect(await found(mode, { read: false, inbox_id: second.id })).toEqual(['Leave']);
  }
});

test('Messages 6: a deleted message is not found, and never one of another workspace', async () => {
  const other = await server.workspace();
  expect((await other.client.messages.search('vacation beach', { mode: 'semantic' })).messages).toEqual([]);
  const [leave] = (await find('vacation beach', 'semantic', { inbox_id: second.id })).messages;
  await server.client.messages.delete(leave?.id ?? '');
  expect((await find('vacation beach', 'semantic', { inbox_id: second.id })).messages).toEqual([]);
});

test('Messages 6: mail is compared by meaning once its workspace searches by meaning, and none of others is embedded', async () => {
  const [asking, silent] = [await server.workspace(), await server.workspace()];
  for (const owner of [asking, silent])
    await receive(await server.inbox(owner), 'Leave', 'Some vacation at the beach.');
  await server.indexed();
  const vectors = (workspaceId: string) =>
    server.rows(
      `select message_id from search_codes where workspace_id = $1
        union all select message_id from embedding_pending where workspace_id = $1`,
      [workspaceId],
    );
  await asking.client.messages.search('vacation');
  expect([await vectors(asking.id), await vectors(silent.id)]).toEqual([[], []]);
  const page = await asking.client.messages.search('trip to the seaside', { mode: 'hybrid' });
  expect([page.mode_used, page.ranked_within, subjects(page)]).toEqual(['hybrid', undefined, ['Leave']]);
  expect([(await vectors(asking.id)).length, await vectors(silent.id)]).toEqual([1, []]);
});

test('Messages 6: without a provider of vectors keyword search runs, with the reason unavailable', async () => {
  const off = await startTestServer({ env: { POSTRIDER_EMBEDDINGS: 'off' } });
  try {
    const own = await off.inbox();
    await sendMail(off.smtpPort, {
      from: 'ada@example.com',
      to: own.address,
      subject: 'A parcel',
      text: 'Here.',
    });
    await off.indexed();
    for (const mode of ['semantic', 'hybrid'] as const) {
      const page = await off.client.messages.search('parcel', { mode });
      expect([page.mode_used, page.fallback_reason, page.messages.length]).toEqual([
        'keyword',
        'unavailable',
        1,
      ]);
    }
  } finally {
    await off.stop();
  }
});
