import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox, ListMessages } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
let inbox: Inbox;
let other: Inbox;

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

beforeAll(async () => {
  server = await startTestServer();
  inbox = await server.inbox();
  other = await server.inbox();
  for (const mail of Object.values(mails)) await sendMail(server.smtpPort, { to: inbox.address, ...mail });
  await sendMail(server.smtpPort, {
    from: 'eve@example.com',
    to: other.address,
    subject: 'Other',
    text: 'An invoice elsewhere',
  });
});
afterAll(() => server.stop());

/** The subjects of what a query finds, best first. */
const found = async (query: string, params: Omit<ListMessages, 'query'> = {}) => {
  const { messages } = await server.client.messages.search(query, { inbox_id: inbox.id, ...params });
  return messages.map(({ subject }) => subject);
};
const { invoice, invoices, refund, german, japanese, link } = mails;

test('Search 6: finds words in any form, the subject before the text', async () => {
  const hits = await found('invoice');
  expect(hits).toHaveLength(3);
  expect(hits[0]).toBe(invoice.subject);
  expect(hits).toContain(invoices.subject);
  expect(hits[2]).toBe(refund.subject);
  console.log(
    (await server.client.messages.search('invoice', {})).messages.map(({ subject, score, snippet }) => ({
      subject,
      score,
      snippet,
    })),
  );
});

test.each([
  ['INV-2026-0419', [invoice.subject]],
  ['inv 2026 0419', [invoice.subject]],
  ['0419', [invoice.subject]],
  ['"amount of the invoice"', [refund.subject]],
  ['amount -refund', [invoice.subject]],
  ['from:ada@mail.example.com invoice', [invoice.subject, refund.subject]],
  ['from:example.com', [refund.subject, invoice.subject]],
  ['from:lovelace', [invoice.subject]],
  ['subject:invoice', [invoices.subject, invoice.subject]],
  ['has:attachment', [invoices.subject]],
  ['filename:pdf', [invoices.subject]],
  ['filename:summary-2025.pdf', [invoices.subject]],
  ['-has:attachment invoice', [invoice.subject, refund.subject]],
  ['grosse', [german.subject]],
  ['strasse', [german.subject]],
  ['請求書', [japanese.subject]],
  ['track.example.net', [link.subject]],
  ['https://track.example.net/parcels/ZX81-77', [link.subject]],
  ['parcels', [link.subject]],
  ['ship', [link.subject]],
  ['trac', [link.subject]],
  ['invoise', [invoice.subject, invoices.subject, refund.subject]],
  ['!!!', []],
  ['zzzzqqqq', []],
  ['label:nothing', []],
  ['in:nobody@example.com', []],
  ['is:outbound', []],
])('finds %s', async (query, subjects) => {
  expect((await found(query)).toSorted()).toEqual(subjects.toSorted());
});
