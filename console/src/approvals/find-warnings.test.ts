import type { Approval, Correspondent } from '@postrider/contract/console';
import { expect, test } from 'vitest';
import { doTextsDiffer, findWarnings, misleadingLinks, misnamedFiles } from './find-warnings.ts';

const recipient = (address: string, reply_to_of: string | null = null): Correspondent => ({
  address,
  name: null,
  wrote_before: false,
  proven: false,
  verified_domain: null,
  last_wrote_at: null,
  proven_at: null,
  is_new: true,
  reply_to_of,
});

const authentication = {
  spf: 'pass',
  dkim: 'pass',
  dmarc: 'pass',
  verified_domain: 'remote.example',
} as const;
const original = {
  from_addr: 'ada@remote.example',
  reply_to_addrs: [],
  to_addrs: ['Support@here.example'],
  cc_addrs: ['bob@remote.example'],
  bcc_addrs: [],
  authentication,
} as unknown as NonNullable<Approval['answers']>;

interface Held {
  answers?: Partial<typeof original> | null;
  correspondents?: Correspondent[];
  replyTo?: string[];
  text?: string | null;
}

const check = (
  { answers = {}, correspondents, replyTo = [], text = 'Ten.' }: Held,
  html: string | null = null,
) =>
  findWarnings(
    {
      answers: answers && { ...original, ...answers },
      correspondents: correspondents ?? [recipient('Ada@remote.example'), recipient('bob@remote.example')],
      inbox_address: 'support@here.example',
      message: { body_text: text, reply_to_addrs: replyTo, attachments: [] },
    },
    html === null ? null : { text: html, links: [] },
  );

test('a reply to the writer of a proven mail and its readers is not remarkable', () => {
  expect(check({})).toEqual([]);
  expect(check({}, 'Ten.')).toEqual([]);
  expect(check({ answers: null, correspondents: [recipient('anybody@else.example')] })).toEqual([]);
  expect(check({ replyTo: ['SUPPORT@here.example'] })).toEqual([]);
});

test('warns if a Reply-To leads a reply away, in either direction', () => {
  const correspondents = [recipient('mallory@evil.example', 'ada@remote.example')];
  const answers = { reply_to_addrs: ['mallory@evil.example'] };
  expect(check({ answers, correspondents, replyTo: ['boss@evil.example'] })).toEqual([
    { kind: 'diverted', address: 'mallory@evil.example', writer: 'ada@remote.example' },
    { kind: 'answers_elsewhere', addresses: ['boss@evil.example'] },
  ]);
});

test('warns if the mail that is answered is not proven', () => {
  const unproven = { ...authentication, dmarc: 'none', verified_domain: null } as const;
  expect(check({ answers: { authentication: unproven } })).toEqual([
    { kind: 'unproven_writer', writer: 'ada@remote.example' },
  ]);
});

test('warns of recipients that the answered mail does not name', () => {
  const correspondents = [recipient('ada@remote.example'), recipient('eve@other.example')];
  expect(check({ correspondents })).toEqual([{ kind: 'added', addresses: ['eve@other.example'] }]);
});

test('warns if there is no plain version, or another one', () => {
  const html = 'Please pay four hundred to the account below.';
  expect(check({ text: null }, html)).toEqual([{ kind: 'no_text' }]);
  expect(check({ text: 'All is well, and there is nothing to pay.' }, html)).toEqual([
    { kind: 'texts_differ' },
  ]);
  expect(check({ text: '' }, ' ')).toEqual([]);
});

const bare = {
  answers: null,
  correspondents: [],
  inbox_address: '',
  message: { body_text: null, reply_to_addrs: [], attachments: [] },
};

test('warns of links that lead elsewhere', () => {
  const links = [{ text: 'bank.example', href: 'https://evil.example' }];
  const approval = { ...bare, message: { ...bare.message, body_text: 'x' } };
  expect(findWarnings(approval, { text: 'x', links })).toEqual([
    { kind: 'links', links: [{ shown: 'bank.example', leadsTo: 'evil.example' }] },
  ]);
});

test('warns first of what is not shown to everybody, and of files whose names promise something else', () => {
  const file = {
    filename: 'invoice.exe',
    mime_type: 'application/pdf',
  } as Approval['message']['attachments'][number];
  const part = { readers: 'outlook', text: 'Pay now' } as const;
  const approval = { ...bare, message: { ...bare.message, attachments: [file] } };
  expect(findWarnings(approval, { text: 'x', links: [] }, [part])).toEqual([
    { kind: 'hidden', parts: [part] },
    { kind: 'no_text' },
    { kind: 'files', files: [file] },
  ]);
});

const letter = 'Dear Ada, your order left our house yesterday. It should be with you on Thursday.';

test.each([
  [letter, letter.toUpperCase()],
  [`${letter} See the order`, `${letter}\n\nSee the order (https://shop.example/1)`],
  ['It is here. See shop.example/orders/1', 'It is here. See https://shop.example/orders/1'],
  [letter, letter.replaceAll(' ', '\n> ')],
  ['', ''],
])('two versions of one text do not differ: %j, %j', (formatted, plain) => {
  expect(doTextsDiffer(formatted, plain)).toBe(false);
});

test.each([
  [letter, 'Please pay 400 to the account below.'],
  [letter, 'Dear Ada,'],
  ['Dear Ada,', letter],
  [letter, ''],
])('a version that says something else, much less or much more differs: %j, %j', (formatted, plain) => {
  expect(doTextsDiffer(formatted, plain)).toBe(true);
});

test.each([
  ['https://bank.example/login', 'https://evil.example/login', 'bank.example', 'evil.example'],
  ['bank.example', 'https://bank.example.evil.example/', 'bank.example', 'bank.example.evil.example'],
  ['Sign in at www.bank.example now', 'http://evil.example', 'bank.example', 'evil.example'],
  ['https://bank.example@evil.example', 'https://evil.example/', 'bank.example', 'evil.example'],
  ['ada@bank.example', 'mailto:ada@evil.example', 'bank.example', 'evil.example'],
  ['bänk.example', 'https://bank.example/', 'xn--bnk-qla.example', 'bank.example'],
  ['sub.bank.example', 'https://bank.example/', 'sub.bank.example', 'bank.example'],
])('a link whose text names another host is found: %s to %s', (text, href, shown, leadsTo) => {
  expect(misleadingLinks([{ text, href }])).toEqual([{ shown, leadsTo }]);
});

test.each([
  ['https://bank.example/login', 'https://bank.example/other'],
  ['BANK.example', 'https://www.bank.example/'],
  ['www.bank.example', 'https://bank.example'],
  ['bank.example', 'https://login.bank.example/'],
  ['bänk.example', 'https://xn--bnk-qla.example/'],
  ['Your invoice', 'https://bank.example/'],
  ['report.pdf', 'https://bank.example/files/report.pdf'],
  ['e.g. this one', 'https://bank.example/'],
  ['ada@bank.example', 'mailto:ada@bank.example?subject=hi@evil.example'],
  ['bank.example', '#below'],
  ['bank.example', 'javascript:alert(1)'],
])('a link passes that leads where it says, or says nothing: %s to %s', (text, href) => {
  expect(misleadingLinks([{ text, href }])).toEqual([]);
});

test('names each pair of hosts once', () => {
  const link = { text: 'bank.example', href: 'https://evil.example/' };
  expect(misleadingLinks([link, { ...link, href: 'https://evil.example/2' }])).toHaveLength(1);
});

const isMisnamed = (filename: string, mime_type: string) =>
  misnamedFiles([{ filename, mime_type }]).length === 1;

test.each([
  ['invoice.exe', 'application/pdf'],
  ['invoice.pdf.exe', 'application/pdf'],
  ['photo.scr', 'image/png'],
  ['invoice.pdf', 'text/plain'],
  ['notes.lnk', 'text/plain; charset=utf-8'],
  ['a.html', 'image/png'],
  ['a.js', 'application/zip'],
])('%s is not named as %s', (name, type) => {
  expect(isMisnamed(name, type)).toBe(true);
});

test.each([
  ['Invoice.PDF', 'application/pdf'],
  ['photo.jpg', 'image/jpeg'],
  ['plan.txt', 'text/plain'],
  ['server.log', 'text/plain'],
  ['index.ts', 'text/plain'],
  ['data.csv', 'text/csv'],
  ['data.csv', 'application/vnd.ms-excel'],
  ['a.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['a.docx', 'application/zip'],
  ['a.tar.gz', 'application/gzip'],
  ['setup.exe', 'application/octet-stream'],
  ['data.json', 'application/json'],
  ['invite.ics', 'text/calendar'],
  ['README', 'application/pdf'],
])('%s may be %s', (name, type) => {
  expect(isMisnamed(name, type)).toBe(false);
});
