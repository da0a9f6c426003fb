import { measurePasses, textPassesMax } from '@postrider/testkit/servers/measure-stall.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMail } from './parse-mail.ts';
import { readTnef } from './read-tnef.ts';

const u16 = (value: number) => Buffer.from([value & 0xff, value >> 8]);
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const filled = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
const attribute = (id: number, data: Buffer) =>
  Buffer.concat([Buffer.from([2]), u32(id), u32(data.length), data, u16(0)]);
/** A property of a variable length. */
const property = (type: number, id: number, data: Buffer) =>
  Buffer.concat([u16(type), u16(id), u32(1), u32(data.length), filled(data)]);
const number = (id: number, value: number) => Buffer.concat([u16(3), u16(id), u32(value)]);
const named = Buffer.concat([
  u16(0x1f),
  u16(0x8001),
  Buffer.alloc(16),
  u32(1),
  u32(6),
  filled(Buffer.from('ab\0', 'utf16le')),
  u32(1),
  u32(4),
  Buffer.from('x\0', 'utf16le'),
]);
const properties = (...list: Buffer[]) => Buffer.concat([u32(list.length), ...list]);
const tnef = (...attributes: Buffer[]) => Buffer.concat([u32(0x223e9f78), u16(1), ...attributes]);
const unicode = (text: string) => Buffer.from(`${text}\0`, 'utf16le');
const file = (name: string, content: string, ...more: Buffer[]) => [
  attribute(0x69002, Buffer.alloc(14)),
  attribute(0x18010, Buffer.from('SHORT~1.TXT\0')),
  attribute(0x6800f, Buffer.from(content)),
  attribute(0x69005, properties(named, property(0x1f, 0x3707, unicode(name)), ...more)),
];
const codePage = attribute(0x69007, Buffer.concat([u32(1252), u32(0)]));

describe('winmail.dat', () => {
  test('has the files that it holds, with their long names', () => {
    const found = readTnef(
      tnef(
        codePage,
        attribute(
          0x69003,
          properties(number(0x3fde, 65_001), property(0x102, 0x1013, Buffer.from('<p>Grüße</p>'))),
        ),
        ...file('Grüße.pdf', 'pdf', property(0x1e, 0x370e, Buffer.from('application/pdf\0'))),
        ...file('logo.png', 'png', property(0x1f, 0x3712, unicode('logo@x'))),
      ),
    );
    expect(found).toMatchObject({
      text: null,
      html: '<p>Grüße</p>',
      hasMore: false,
      files: [
        { filename: 'Grüße.pdf', contentType: 'application/pdf', disposition: 'attachment', sizeBytes: 3 },
        { filename: 'logo.png', contentType: 'image/png', contentId: 'logo@x', related: true },
      ],
    });
    expect(found?.files.map(({ content }) => content?.toString())).toEqual(['pdf', 'png']);
  });

  test('says whether it holds more than its files, and whether it is one at all', () => {
    const message = property(0x0d, 0x3701, Buffer.alloc(40));
    expect(readTnef(tnef(...file('a.txt', 'x', message)))).toMatchObject({ files: [], hasMore: true });
    const whole = tnef(...file('a.txt', 'x'), ...file('b.txt', 'y'));
    expect(readTnef(whole.subarray(0, -90))).toMatchObject({ hasMore: true });
    for (const bytes of [Buffer.alloc(0), Buffer.from('x'), Buffer.alloc(100), whole.subarray(1)])
      expect(readTnef(bytes)).toBeNull();
  });

  test('may be anything, and is read in bounded time', () => {
    const whole = tnef(codePage, attribute(0x69003, properties(named, number(1, 2))), ...file('a.txt', 'x'));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 8 }),
        fc.nat(whole.length),
        (changes, length) => {
          const bytes = Buffer.from(whole.subarray(0, length));
          for (const [at, value] of changes) if (at >= 4 && at < length) bytes[at] = value;
          readTnef(bytes);
        },
      ),
      { numRuns: 2_000 },
    );
    const pieces = [
      attribute(0x69002, Buffer.alloc(0)),
      attribute(0x69003, properties(...Array.from({ length: 5_000 }, () => number(1, 2)))),
      attribute(
        0x69005,
        Buffer.concat([
          u32(0xffff_ffff),
          ...Array.from({ length: 5_000 }, () => property(0x101f, 1, u32(0))),
        ]),
      ),
      attribute(0x69003, Buffer.concat([u32(1), u16(0x1003), u16(1), u32(0xffff_ffff)])),
    ];
    for (const flood of pieces) {
      const floods = Array.from({ length: Math.floor(5_000_000 / flood.length) }, () => flood);
      const many = tnef(Buffer.concat(floods));
      expect(measurePasses(() => readTnef(many))).toBeLessThan(textPassesMax);
    }
  });
});

describe('a mail with a winmail.dat', () => {
  const parse = async (text: string | null, content: Buffer) => {
    const parts = [
      ...(text === null ? [] : [`Content-Type: text/plain; charset=utf-8\r\n\r\n${text}`]),
      `Content-Type: application/ms-tnef; name="winmail.dat"\r\nContent-Transfer-Encoding: base64\r\n\r\n${content.toString('base64')}`,
    ];
    const raw = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`;
    const mail = await parseMail(Buffer.from(raw), { withContent: true });
    if ('failed' in mail) throw new Error(mail.detail);
    return mail;
  };
  const namesOf = async (text: string | null, content: Buffer) =>
    (await parse(text, content)).attachments.map(({ filename }) => filename);
  const body = attribute(0x69003, properties(property(0x1f, 0x1000, unicode('Hello from Outlook'))));

  test('has the files and the text of that', async () => {
    const mail = await parse(null, tnef(body, ...file('plan.pdf', 'pdf')));
    expect(mail).toMatchObject({
      text: 'Hello from Outlook',
      html: null,
      extractedText: 'Hello from Outlook',
    });
    expect(mail.attachments).toMatchObject([
      { filename: 'plan.pdf', mimeType: 'application/pdf', sizeBytes: 3, content: Buffer.from('pdf') },
    ]);
  });

  test('keeps its own text, and the file where something in it was not read', async () => {
    const mail = await parse('Own text', tnef(body, ...file('plan.pdf', 'pdf')));
    expect([mail.text?.trim(), mail.attachments.length]).toEqual(['Own text', 1]);
    const message = property(0x0d, 0x3701, Buffer.alloc(40));
    expect(await namesOf('x', tnef(...file('a.pdf', 'x'), ...file('b', 'x', message)))).toEqual([
      'winmail.dat',
      'a.pdf',
    ]);
    expect(await namesOf('x', tnef(codePage))).toEqual(['winmail.dat']);
    expect(await namesOf(null, tnef(...file('a.pdf', 'x')))).toEqual(['winmail.dat', 'a.pdf']);
    expect(await namesOf('x', Buffer.from('no TNEF'))).toEqual(['winmail.dat']);
  });
});
