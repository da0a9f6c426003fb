import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox, ListMessages } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
let inbox: Inbox;

const mails = {
  invoice: {
    from: 'Ada Lovelace <ada@mail.example.com>',
    subject: 'Invoice INV-2026-0419',
    text: 'Please pay the invoice for March. The amount is 1,200 EUR.',
  },
  invoices: {
    from: 'bob@sub.example.org',
    subject: 'All invoices of last year',
    text: 'The files are attached.',
    attachments: [{ filename: 'summary-2025.pdf', content: Buffer.from('x') }],
  },
  refund: {
    from: 'ada@mail.example.com',
    subject: 'Refund',
    text: 'We will refund the amount of the invoice next week. *Promise* me_too.',
  },
  german: { from: 'jörg@bücher.example', subject: 'Grüße aus der Straße', text: 'Die Größe stimmt nicht.' },
  japanese: { from: 'taro@example.jp', subject: '請求書の件', text: '日本語の請求書を添付します。' },
  link: {
    from: 'shop@example.net',
    subject: 'Your order has shipped',
    text: 'Track it at https://track.example.net/parcels/ZX81-77 now.',
  },
};
const { invoice, invoices, refund, german, japanese, link } = mails;

beforeAll(async () => {
  server = await joinTestServer();
  inbox = await server.inbox();
  for (const mail of Object.values(mails)) await sendMail(server.smtpPort, { to: inbox.address, ...mail });
  await server.indexed();
});
afterAll(() => server.stop());

const search = (query: string, params: Omit<ListMessages, 'query'> = {}) =>
  server.client.messages.search(query, { inbox_id: inbox.id, ...params });

/** The subjects of what a query finds, best first. */
const subjects = async (query: string) => (await search(query)).messages.map(({ subject }) => subject);

test('Messages 6: keyword search finds words in any form, those of the subject first', async () => {
  expect(await subjects('invoice')).toEqual([invoice.subject, invoices.subject, refund.subject]);
  expect(await subjects('INVOICES')).toHaveLength(3);
});

test.each([
  ['INV-2026-0419', [invoice]],
  ['inv 2026 0419', [invoice]],
  ['0419', [invoice]],
  ['"amount of the invoice"', [refund]],
  ['"the of amount"', []],
  ['amount -refund', [invoice]],
  ['amount -refunds', [invoice]],
  ['invoice -"next week" -files', [invoice]],
  ['from:ada@mail.example.com invoice', [invoice, refund]],
  ['from:example.com', [invoice, refund]],
  ['from:mail.example.com', [invoice, refund]],
  ['from:lovelace', [invoice]],
  ['-from:lovelace from:ada', [refund]],
  ['subject:invoice', [invoice, invoices]],
  ['subject:"last year"', [invoices]],
  ['has:attachment', [invoices]],
  ['-has:attachment invoice', [invoice, refund]],
  ['filename:pdf', [invoices]],
  ['filename:summary-2025.pdf', [invoices]],
  ['is:outbound', []],
  ['is:inbound refund', [refund]],
  ['grosse', [german]],
  ['STRASSE', [german]],
  ['from:jorg', [german]],
  ['請求書', [japanese]],
  ['日本語', [japanese]],
  ['track.example.net', [link]],
  ['https://track.example.net/parcels/ZX81-77', [link]],
  ['parcels', [link]],
  ['zx81', [link]],
  ['invoise', [invoice, invoices, refund]],
  ['parclez', [link]],
  ['trac', [link]],
  ['unheardof parcels', [link]],
  ['unheardof parcel', [link]],
  ['track promised', [link]],
  ['invoice:amount', [invoice, refund]],
  ['after:2020-01-01 refund', [refund]],
  ['before:2020-01-01 refund', []],
  ['after:2999-01-01T00:00:00Z', []],
  ['!!!', []],
  ['"', []],
  ['zzzzqqqq', []],
  ['label:nothing invoice', []],
  ['in:nobody@example.com invoice', []],
] as const)('Messages 6: finds %s', async (query, wanted) => {
  expect((await subjects(query)).toSorted()).toEqual(wanted.map(({ subject }) => subject).toSorted());
});

test('Messages 6: without words the newest message comes first, and all scores are equal', async () => {
  const { messages } = await search('is:inbound');
  expect(messages.map(({ subject }) => subject)).toEqual(
    Object.values(mails)
      .map(({ subject }) => subject)
      .reverse(),
  );
  expect(new Set(messages.map(({ score }) => score)).size).toBe(1);
});

test('Messages 6: where few messages have all words, those with most of them follow, below all that have them', async () => {
  const { messages } = await search('refund promise amount march');
  expect(messages[0]?.subject).toBe(refund.subject);
  const { messages: none } = await search('refund amount unheardof');
  expect(none.map(({ subject }) => subject)).toEqual([refund.subject]);
  expect(none[0]?.score).toBeLessThan(0.5);
  expect((await search('refund')).messages[0]?.score).toBeGreaterThan(0.5);
});

test('Messages 6: the snippet marks what was found and escapes the marks of the text', async () => {
  const [hit] = (await search('promise week')).messages;
  expect(hit?.snippet).toBe(
    'We will refund the amount of the invoice next **week**. \\***Promise**\\* me\\_too.',
  );
});

test('Messages 6: a hit names the files whose name matched', async () => {
  const [hit] = (await search('summary')).messages;
  expect(hit?.matched_attachments).toEqual(hit?.attachments.map(({ id }) => id));
  expect((await search('files year')).messages[0]?.matched_attachments).toBeUndefined();
});

test('Messages 6: a message is found by the text of its file, and the hit names the file and shows the text', async () => {
  const attachments = [
    { filename: 'notes.txt', content: 'The turbine of unit four was inspected on Monday.' },
    { filename: 'other.txt', content: 'Nothing of interest.' },
  ];
  await sendMail(server.smtpPort, {
    from: 'eve@example.com',
    to: inbox.address,
    subject: 'Notes',
    text: 'See the files.',
    attachments,
  });
  const query = 'turbine inspected';
  const [hit] = await eventually('the file to be read', async () => {
    const { messages } = await search(query);
    return messages.length > 0 && messages;
  });
  expect(hit?.matched_attachments).toEqual([hit?.attachments[0]?.id]);
  expect(hit?.snippet).toBe('The **turbine** of unit four was **inspected** on Monday.');
  await server.client.messages.delete(hit?.id ?? '');
});

test('Messages 6: label: takes the name of a label in any case, and holds at once', async () => {
  const [hit] = (await search('refund')).messages;
  await server.client.messages.update(hit?.id ?? '', { add_labels: ['Größe XL'] });
  expect(await subjects('label:"GRÖSSE xl" invoice')).toEqual([refund.subject]);
  expect(await subjects('-label:"größe xl" invoice')).toEqual([invoice.subject, invoices.subject]);
  await server.client.messages.update(hit?.id ?? '', { remove_labels: ['Größe XL'] });
  expect(await subjects('label:"größe xl"')).toEqual([]);
});

test('Messages 6: in: takes the address of an inbox or its id', async () => {
  const elsewhere = await server.inbox();
  await sendMail(server.smtpPort, {
    from: 'eve@example.com',
    to: elsewhere.address,
    subject: 'Elsewhere',
    text: 'A refund.',
  });
  await server.indexed();
  const all = async (query: string) =>
    (await server.client.messages.search(query)).messages.map(({ subject }) => subject);
  expect((await all('refund')).toSorted()).toEqual(['Elsewhere', refund.subject]);
  expect(await all(`in:${elsewhere.address} refund`)).toEqual(['Elsewhere']);
  expect(await all(`in:${elsewhere.id} refund`)).toEqual(['Elsewhere']);
  expect(await all(`-in:${elsewhere.id} refund`)).toEqual([refund.subject]);
});

test('Messages 6: a message that was just sent or received is found at once', async () => {
  const word = server.freshName('word').replace('-', '');
  const sent = await server.client.messages.send({
    inbox_id: inbox.id,
    to: ['ada@example.com'],
    subject: word,
    text: 'Now.',
  });
  await server.indexed();
  expect((await search(word)).messages.map(({ id }) => id)).toEqual([sent.id]);
  await server.client.messages.delete(sent.id);
  expect((await search(word)).messages).toEqual([]);
});

test('Messages 6: a malformed date is a 400 that says what to write', async () => {
  const answer = await server.request('/v1/messages?query=after:yesterday');
  expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  expect(answer.text).toContain('after:2026-03-01');
});
