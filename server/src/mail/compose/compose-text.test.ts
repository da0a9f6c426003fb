import { createHash } from 'node:crypto';
import { plainMail } from '@postrider/testkit/smtp/outgoing-mail.ts';
import fc from 'fast-check';
import MailComposer from 'nodemailer/lib/mail-composer';
import { describe, expect, it } from 'vitest';
import { composeMail, type OutgoingMail } from './compose-mail.ts';
import { encodeText, keepReferences } from './header-fields.ts';

const normalize = (body: string | null | undefined) =>
  body?.replace(/\r\n?|\n/g, '\r\n').replace(/\p{Cs}/gu, '\ufffd');
const toAddress = (mailbox: OutgoingMail['to'][number]) => {
  const { name, address } = typeof mailbox === 'string' ? { name: '', address: mailbox } : mailbox;
  return { name: (name ?? '').replace(/\p{Cs}/gu, '\ufffd'), address };
};

/** The bytes of nodemailer's own composer and streams. */
async function build(mail: OutgoingMail): Promise<Buffer> {
  const [text, html] = [normalize(mail.text), normalize(mail.html)];
  const hash = createHash('sha256');
  for (const part of [mail.messageId, text ?? '', html ?? '']) hash.update(`${part.length}:${part}`);
  const references = [...keepReferences(mail.references ?? []), mail.messageId];
  const message = new MailComposer({
    from: toAddress(mail.from),
    to: mail.to.length > 0 || mail.cc?.length ? mail.to.map(toAddress) : 'Undisclosed recipients:;',
    cc: mail.cc?.map(toAddress),
    replyTo: mail.replyTo?.map(toAddress),
    messageId: mail.messageId,
    inReplyTo: keepReferences(mail.inReplyTo ? [mail.inReplyTo] : [])[0],
    references,
    date: mail.date,
    headers: [
      ...Object.entries(mail.headers ?? {}).map(([key, value]) => ({
        key,
        value: key.toLowerCase().startsWith('list-') ? value : encodeText(value, key),
      })),
      ...(mail.autoReplied ? [{ key: 'Auto-Submitted', value: 'auto-replied' }] : []),
    ],
    text,
    html,
    boundaryPrefix: '----=_Part',
    baseBoundary: hash.digest('hex').slice(0, 32),
  }).compile();
  message.setHeader('Subject', encodeText(mail.subject, 'The subject'));
  return message.build();
}

async function expectSame(change: Partial<OutgoingMail>): Promise<void> {
  const mail = { ...plainMail, ...change };
  expect((await composeMail(mail)).toString('latin1')).toBe((await build(mail)).toString('latin1'));
}

const inHeader = fc.string({ unit: 'binary', maxLength: 120 }).map((text) => text.replace(/[\r\n\0]/g, ''));
const names = fc.oneof(
  inHeader,
  fc.string(),
  fc.constantFrom('', 'Jürgen', 'say "hi"', 'a, b', '=?utf-8?Q?x?=', '件名 '.repeat(30), '\ud800'),
);
const headerTexts = names.map((text) => text.replace(/[\r\n\0]/g, ''));
const addresses = fc.constantFrom(
  'bob@example.test',
  'BOB@Example.Test',
  'bob@bücher.test',
  'jürgen@xn--bcher-kva.test',
  '"two words"@example.test',
  'a@b@example.test',
  'x <y@z.test>',
  'bob',
  'bob@[192.0.2.1]',
);
const mailboxes = fc.array(
  fc.oneof(addresses, fc.record({ name: fc.option(headerTexts), address: addresses })),
  { maxLength: 6 },
);
const ids = fc.oneof(
  fc.constantFrom('<a b@c>', 'bare@x.test', '<ü@x.test>'),
  fc.stringMatching(/^<[a-z0-9.]{1,300}@x\.test>$/),
);
const pieces = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.string({ maxLength: 200 }),
  fc.constantFrom(
    '\n',
    '\r',
    '\r\n',
    '\n\n',
    ' ',
    '\t',
    '.',
    '..',
    '\n.\n',
    '\nFrom here',
    '=20',
    '--',
    '\0',
  ),
  fc.constantFrom(
    '\ud800',
    '\udc00x',
    '😀',
    'ü'.repeat(400),
    '件'.repeat(300),
    'x'.repeat(1_500),
    ' \n',
    '\t\r',
  ),
  fc.constantFrom('plain words, and more of them. '.repeat(40), 'a line of text\n'.repeat(20)),
);
const bodies = fc.oneof(
  { weight: 9, arbitrary: fc.array(pieces, { maxLength: 12 }).map((all) => all.join('')) },
  fc.constantFrom(null, undefined, '', ' ', '\n', '\r'),
);
const fieldNames = fc.oneof(
  fc.stringMatching(/^X-[A-Za-z0-9-]{1,30}$/),
  fc.constantFrom(
    'List-Id',
    'list-unsubscribe',
    'priority',
    'x-smtpapi',
    'ARC-Seal',
    'OTP-Token',
    'Comments',
  ),
);

describe('a message without files', () => {
  it('has the bytes of nodemailer, whatever the bodies', () =>
    fc.assert(
      fc.asyncProperty(bodies, bodies, async (text, html) => expectSame({ text, html })),
      { numRuns: 250 },
    ));

  it('has the bytes of nodemailer, whatever the header', () =>
    fc.assert(
      fc.asyncProperty(
        fc.record({
          from: fc.record({ name: fc.option(headerTexts), address: addresses }),
          to: mailboxes,
          cc: fc.option(mailboxes, { nil: undefined }),
          replyTo: fc.option(mailboxes, { nil: undefined }),
          subject: headerTexts,
          inReplyTo: fc.option(ids),
          references: fc.array(ids, { maxLength: 60 }),
          headers: fc.dictionary(fieldNames, headerTexts),
          autoReplied: fc.boolean(),
          html: fc.constantFrom(null, '<p>Hi Bob</p>'),
        }),
        expectSame,
      ),
      { numRuns: 150 },
    ));

  it('has the bytes of nodemailer where a body is encoded in slices', async () => {
    const words = 'words from here, and more of them, '.repeat(2_000);
    for (const length of [65_535, 65_536, 65_537, 65_538]) await expectSame({ text: words.slice(0, length) });
    // Where a line is cut depends on how much of it is in the slice.
    for (let before = 0; before < 30; before += 1)
      await expectSame({ text: `${'x'.repeat(before)}\n${words}.` });
  });
});
