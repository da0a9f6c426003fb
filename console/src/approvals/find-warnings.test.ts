import type { Approval, Correspondent } from '@postrider/contract/console';
import { expect, test } from 'vitest';
import { findWarnings } from './find-warnings.ts';

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

test('warns of links that lead elsewhere', () => {
  const links = [{ text: 'bank.example', href: 'https://evil.example' }];
  const approval = {
    answers: null,
    correspondents: [],
    inbox_address: '',
    message: { body_text: 'x', reply_to_addrs: [], attachments: [] },
  };
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
  const approval = {
    answers: null,
    correspondents: [],
    inbox_address: '',
    message: { body_text: null, reply_to_addrs: [], attachments: [file] },
  };
  expect(findWarnings(approval, { text: 'x', links: [] }, [part])).toEqual([
    { kind: 'hidden', parts: [part] },
    { kind: 'no_text' },
    { kind: 'files', files: [file] },
  ]);
});
