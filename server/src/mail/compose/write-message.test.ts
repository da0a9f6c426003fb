import fc from 'fast-check';
import MimeComposer from 'nodemailer/lib/mail-composer';
import { expect, it } from 'vitest';
import { writeMessage } from './compose-mail.ts';

/** Compiles a message anew, since nodemailer can build it once. */
const compile = (mail: object) =>
  new MimeComposer({
    from: { name: 'Jürgen', address: 'jürgen@bücher.test' },
    to: [{ name: 'Bob', address: 'bob@example.test' }],
    subject: 'Größe '.repeat(30),
    messageId: '<a@example.test>',
    date: new Date('2026-11-23T08:00:00Z'),
    boundaryPrefix: '----=_Part',
    baseBoundary: 'boundary',
    ...mail,
  }).compile();

async function expectSame(mail: object): Promise<void> {
  const built = await compile(mail).build();
  expect(writeMessage(compile(mail)).toString('latin1')).toBe(built.toString('latin1'));
}

const pieces = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.constantFrom('\n', '\n\n', ' ', '\t', '.', '\n.\n', '\nFrom here', '=20', '--', '\0', '😀', ' \n'),
  fc.constantFrom('ü'.repeat(400), '件'.repeat(300), 'x'.repeat(1_500), 'a line of text\n'.repeat(20)),
);
/** Of a body that ends in a space, nodemailer may put the last lines' breaks elsewhere. */
const bodies = fc.array(pieces, { maxLength: 12 }).map((all) =>
  all
    .join('')
    .replace(/[ \t]+$/, '')
    .replaceAll(/\r\n?|\n/g, '\r\n'),
);

it('writes bodies byte by byte as nodemailer builds them', () =>
  fc.assert(
    fc.asyncProperty(bodies, bodies, async (text, html) => expectSame({ text, html })),
    { numRuns: 200 },
  ));

it('writes files byte by byte as nodemailer builds them', async () => {
  const html = '<img src="cid:logo@x">';
  const logo = { filename: 'logo.png', content: Buffer.alloc(1_000, 'png\0ü'), cid: 'logo@x' };
  const file = { filename: 'Größe.pdf', content: Buffer.from('pdf'), contentTransferEncoding: 'base64' };
  const mail = {
    contentType: 'message/rfc822',
    content: Buffer.from('Subject: x\r\n\r\ny\r\n'),
    contentTransferEncoding: '7bit',
  };
  for (const attachments of [[file], [logo], [logo, file, mail]])
    for (const bodies of [{ text: 'Hi' }, { html }, { text: 'Hi', html }, {}])
      await expectSame({ ...bodies, attachments });
});
