import { hostileMails } from '@postrider/testkit/mail/hostile-mail.ts';
import { corpusFolder, fixturesFolder, readMails } from '@postrider/testkit/mail/mail-corpus.ts';
import { measurePasses, stallPassesMax } from '@postrider/testkit/servers/measure-stall.ts';
import { describe, expect, it } from 'vitest';
import { parseHeaderOnly, parseMail } from './parse-mail.ts';
import { readSenders } from './read-mailboxes.ts';

const envelopeFrom = 'bounces@sender.example';
const authorsOf = (...header: string[]) =>
  readSenders(Buffer.from([...header, '', 'From: nobody@body.example', ''].join('\r\n')), envelopeFrom);

/** Returns the author of the message, by the parser that reads the whole of it. */
const shownFrom = async (raw: Buffer): Promise<string | null> => {
  const reading = await parseMail(raw, { envelopeFrom });
  return ('failed' in reading ? reading.mail : reading).from?.address ?? null;
};

/** Headers that read differently to a reader that is careless. */
const trickyHeaders: string[][] = [
  ['From: Ada <ada@x.example>'],
  ['fRoM : ada@x.example'],
  ['From:', 'From: ada@x.example'],
  ['From: ada@x.example', 'From: bob@y.example'],
  ['From: ada@x.example, bob@y.example'],
  ['From: "ada@x.example" <bob@y.example>'],
  ['From: ada@x.example <bob@y.example>'],
  ['From: =?utf-8?q?ada=40x.example?= <bob@y.example>'],
  ['From: =?utf-8?q?ada=40x.example?='],
  ['From: Ada', ' <ada@x.example>'],
  ['From:', '\tAda <ada@x.example>'],
  ['From: friends: ada@x.example, bob@y.example;'],
  ['From: (a comment) ada@x.example (another)'],
  ['From: "a b"@x.example'],
  ['From: a..b@x.example'],
  ['From: ada@mail_out.x.example'],
  ['From: ÄDA@BÜCHER.example'],
  ['From: undisclosed'],
  ['X-Other: x'],
  ['From ada@x.example', 'From: bob@y.example'],
  ['Subject: x', '\r\nFrom: ada@x.example'],
  [`From: ${'"x" '.repeat(3_000)}<ada@x.example>`],
  [`From: ${'é'.repeat(5_000)} <ada@x.example>`],
  [`From: ${'pad@x.example, '.repeat(400)}ada@y.example`],
  [`X-Long: ${'y'.repeat(200_000)}`, 'From: ada@x.example'],
  [`From: ${'a:'.repeat(50_000)} ada@x.example`],
];

describe('the authors of a raw mail', () => {
  it('begin with the one that the message is shown to be from, for mail from everywhere', async () => {
    const corpus = corpusFolder();
    const tricky = trickyHeaders.map((lines) => ({
      file: lines.join(' | ').slice(0, 80),
      raw: Buffer.from(`${lines.join('\r\n')}\r\n\r\nx\r\n`),
    }));
    const mails = [...readMails(fixturesFolder), ...(corpus ? readMails(corpus) : []), ...tricky];
    for (const { file, raw } of mails) {
      const [author = null] = readSenders(raw, envelopeFrom);
      expect([file, author]).toEqual([file, await shownFrom(raw)]);
      expect([file, author]).toEqual([file, parseHeaderOnly(raw, { envelopeFrom }).from?.address ?? null]);
    }
    expect(mails.length).toBeGreaterThan(trickyHeaders.length);
  });

  it('are all that any From names, each once', () => {
    expect(
      authorsOf('From: ada@x.example, Bob <bob@y.example>', 'From: eve@z.example, ada@X.example'),
    ).toEqual(['ada@x.example', 'bob@y.example', 'eve@z.example']);
  });

  it('are the envelope sender where no From names anybody, and nobody for a report without one', () => {
    expect(authorsOf('Subject: x')).toEqual([envelopeFrom]);
    expect(readSenders(Buffer.from('Subject: x\r\n\r\nFrom: ada@x.example\r\n'), '')).toEqual([]);
  });

  it.each(Object.keys(hostileMails))('are read in a moment from %s', (name) => {
    const raw = hostileMails[name]!();
    expect(measurePasses(() => readSenders(raw, envelopeFrom))).toBeLessThan(stallPassesMax);
  });

  it.each([
    ['nested groups', `From: ${'g:'.repeat(400_000)}`],
    ['addresses', `From: ${'a@b.example, '.repeat(70_000)}`],
    ['a thousand fields', `From: ${'a:b@c.d;'.repeat(60)}\r\n`.repeat(1_900)],
    ['comments', `From: ${'('.repeat(900_000)}`],
    ['encoded words', `From: ${'=?utf-8?q?x?= '.repeat(70_000)}`],
    ['folds', `From: x${'\r\n y'.repeat(200_000)}`],
  ])('are read in a moment from a header of a megabyte of %s', (_, header) => {
    const raw = Buffer.from(`${header}\r\n\r\nx\r\n`);
    let authors: string[] = [];
    expect(measurePasses(() => (authors = readSenders(raw, envelopeFrom)))).toBeLessThan(stallPassesMax);
    expect(authors.length).toBeLessThanOrEqual(50);
  });
});
