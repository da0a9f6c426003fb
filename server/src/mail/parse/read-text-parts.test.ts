import { type Edit, edited, someEdits } from '@postrider/testkit/mail/edit-bytes.ts';
import { asSent, corpusFolder, fixturesFolder, readMails } from '@postrider/testkit/mail/mail-corpus.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMimeOfAnyKind } from './read-mime.ts';
import { readTextParts, type TextPart } from './read-text-parts.ts';

/** Expects that both readers read a mail alike, unless it is left to the other one. Returns whether it was not. */
const readsAlike = async (raw: Buffer): Promise<boolean> => {
  const root = readTextParts(raw);
  if (root === null) return false;
  const content = await readMimeOfAnyKind(raw, () => false);
  expect({ root: content.root && onlyRead(content.root), files: content.files }).toEqual({ root, files: [] });
  return true;
};

/** Without what mailparser notes of a part beside it. */
const onlyRead = ({ contentType, textContent, children }: TextPart): TextPart => ({
  contentType,
  ...(textContent === undefined ? {} : { textContent }),
  children: children.map(onlyRead),
});

const boundary = fc.constantFrom('b', 'b--', '=_x', '----=_Part_0_1.2', "a'+_,-./:=0", 'bb');
const parameter = (name: string, value: string) =>
  fc.constantFrom(`; ${name}="${value}"`, `;\r\n\t${name}="${value}"`, `;${name.toUpperCase()}="${value}"`);
const usualText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    '',
    '\r\n',
    '\r\n\r\n',
    '--b',
    '--',
    '-- \r\nsignature',
    'a =E2=82=AC=\r\n b',
    'caf\xc3\xa9 \xe9',
  ),
);
const charset = fc.oneof(
  fc.constant(''),
  fc.constantFrom('utf-8', 'UTF8', 'us-ascii', 'ascii').chain((name) => parameter('charset', name)),
  fc.constantFrom(
    '; charset=utf-8',
    '; charset=US-ASCII',
    '; charset=unknown-8bit',
    '; charset=gb2312',
    '; charset=koi8-r',
    '; charset=latin1',
  ),
);
const textHead = fc.record({
  type: fc
    .tuple(fc.constantFrom('text/plain', 'text/html', 'Text/Plain'), charset)
    .map((both) => both.join('')),
  encoding: fc.constantFrom('', '7bit', '8bit', 'Quoted-Printable', 'binary'),
  disposition: fc.constantFrom('', 'inline'),
  other: fc.constantFrom('', 'Subject: caf\xe9\r\n', 'X-Folded: a\r\n b: c\r\n', 'MIME-Version: 1.0\r\n'),
});
const { part: usualMail } = fc.letrec<{ part: string; leaf: string; parts: string }>((tie) => ({
  part: fc.oneof({ depthSize: 'small', withCrossShrink: true }, tie('leaf'), tie('parts')),
  leaf: fc
    .tuple(textHead, usualText)
    .map(([{ type, encoding, disposition, other }, text]) =>
      [
        other,
        `Content-Type: ${type}\r\n`,
        encoding && `content-transfer-encoding: ${encoding}\r\n`,
        disposition && `Content-Disposition: ${disposition}\r\n`,
        `\r\n${text.replace(/[\r\n]+/g, '\r\n')}`,
      ].join(''),
    ),
  parts: fc
    .tuple(
      boundary.chain((one) => parameter('boundary', one).map((written) => ({ one, written }))),
      fc.constantFrom('mixed', 'alternative', 'related'),
      fc.array(tie('part'), { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', 'preamble\r\n', '\r\n'),
      fc.constantFrom('', '\r\n', '\r\nepilogue\r\n--b\r\n', '\r\n--bb--\r\n'),
    )
    .map(([{ one, written }, kind, parts, before, after]) =>
      [
        `Content-Type: multipart/${kind}${written}\r\n\r\n${before}`,
        ...parts.map((inner) => `--${one}\r\n${inner}\r\n`),
        `--${one}--${after}`,
      ].join(''),
    ),
}));

const folders = [fixturesFolder, corpusFolder()].flatMap((folder) => folder ?? []);
const mails = folders.flatMap((folder) => readMails(folder).map(({ raw }) => raw));

test('mail of texts is read as mailparser reads it, whatever was done to it', async () => {
  let [alike, all] = [0, 0];
  await fc.assert(
    fc.asyncProperty(usualMail, fc.oneof(fc.constant<Edit[]>([]), someEdits), async (mail, edits) => {
      all += 1;
      if (await readsAlike(edited(Buffer.from(mail, 'latin1'), edits))) alike += 1;
    }),
    { numRuns: 2_000 },
  );
  expect(alike).toBeGreaterThan(all / 3);
});

test('so is mail that people sent, as it is and with changes', async () => {
  const alike = await Promise.all(mails.map(readsAlike));
  expect(alike.filter(Boolean).length).toBeGreaterThan(mails.length / 5);
  const changed = fc.asyncProperty(fc.constantFrom(...mails), someEdits, async (raw, edits) => {
    await readsAlike(asSent(edited(raw, edits)));
  });
  await fc.assert(changed, { numRuns: 500 });
});

const text = 'Content-Type: text/plain; charset=utf-8\r\n\r\nHello\r\n';
const within = (...parts: string[]) =>
  `Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`;

test.each([
  ['a file', within(text, 'Content-Type: application/pdf\r\n\r\nx')],
  ['a text with a name', within(text, 'Content-Type: text/plain; name=a.txt\r\n\r\nx')],
  ['a text that is attached', within('Content-Disposition: attachment\r\n\r\nx')],
  ['a message within', within('Content-Type: message/rfc822\r\n\r\nx')],
  ['flowed text', text.replace('utf-8', 'utf-8; format=flowed')],
  ['base64', text.replace('\r\n', '\r\nContent-Transfer-Encoding: base64\r\n')],
  ['white space behind a delimiter', within(text).replace('--b\r\n', '--b \r\n')],
  ['a header that a line of white space should end', text.replace('\r\n\r\n', '\r\n \r\n--x\r\n\r\n')],
  ['what looks like the header of a part, ended by white space', `${text}--b\r\nSubject: x\r\n\t\r\n`],
  ['a digest', within(text).replace('mixed', 'digest')],
  ['a type without a subtype', text.replace('text/plain', 'text')],
  ['uuencoded text', text.replace('\r\n', '\r\nContent-Transfer-Encoding: x-uuencode\r\n')],
  ['two types', `Content-Type: text/html\r\n${text}`],
  ['lines that end in LF', text.replaceAll('\r\n', '\n')],
  ['a multipart without its end', within(text).replace('--b--\r\n', '')],
  ['a delimiter of an outer multipart within an inner one', within(within(text).replace('=b', '=c'))],
  ['a header without an end', 'Content-Type: text/plain'],
  ['more than a quarter of a megabyte', text + 'x'.repeat(262_144)],
  ['more than a hundred parts', within(...Array<string>(101).fill(text))],
])('%s is left to mailparser', (_, mail) => {
  expect(readTextParts(Buffer.from(mail))).toBeNull();
});
