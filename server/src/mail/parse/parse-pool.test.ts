import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { hostileMails } from '@postrider/testkit/mail/hostile-mail.ts';
import { measureStall, stallPassesMax } from '@postrider/testkit/servers/measure-stall.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { createMailParser, type MailParser } from './parse-pool.ts';
import type { ParsedMail, ParseFailure } from './parsed-mail.ts';

const open: MailParser[] = [];
afterAll(() => Promise.all(open.map((parser) => parser.close())));
function start(options?: Parameters<typeof createMailParser>[0]): MailParser {
  const parser = createMailParser(options);
  open.push(parser);
  return parser;
}
const shared = start({ workers: 1 });
const small = (subject: string) => Buffer.from(`Subject: ${subject}\r\nFrom: a@example.com\r\n\r\nbody`);
const mailOf = (result: ParsedMail | ParseFailure): ParsedMail => ('failed' in result ? result.mail : result);

test('mail comes back whole, with dates and the bytes of its files', async () => {
  const raw = Buffer.from(
    'Date: Fri, 20 Nov 2026 10:00:00 +0000\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nbody\r\n--b\r\nContent-Type: image/png\r\n\r\nPNG\r\n--b\r\nContent-Type: image/gif\r\n\r\nGIF\r\n--b--',
  );
  const copy = Buffer.from(raw);
  const mail = mailOf(await shared.parse(raw, { withContent: true }));
  expect(mail.date).toEqual(new Date('2026-11-20T10:00:00Z'));
  expect(mail.attachments.map(({ content }) => content)).toEqual([Buffer.from('PNG'), Buffer.from('GIF')]);
  expect(raw).toEqual(copy);
  expect(mailOf(await shared.parse(raw)).attachments[0]).not.toHaveProperty('content');
});

test('every mail gets its own answer, however many come at once', async () => {
  const parser = start({ workers: 2 });
  const subjects = Array.from({ length: 200 }, (_, i) => `number ${i}`);
  const mails = await Promise.all(subjects.map((subject) => parser.parse(small(subject))));
  expect(mails.map((mail) => mailOf(mail).subject)).toEqual(subjects);
});

test('mails that take too much together are tried one by one, and each gets its own answer', async () => {
  const parser = start({ workers: 1, processorMs: 20 });
  await parser.parse(small('warm'));
  const page = `<p>${'word '.repeat(6_000)}`;
  const subjects = Array.from({ length: 12 }, (_, i) => `number ${i}`);
  const mails = await Promise.all(
    subjects.map((subject) =>
      parser.parse(Buffer.from(`Subject: ${subject}\r\nContent-Type: text/html\r\n\r\n${page}`)),
    ),
  );
  expect(mails.map((mail) => mailOf(mail).subject)).toEqual(subjects);
});

test('what may be a report and was not read says so, and what cannot be one needs no thread', async () => {
  const report = (text: string) =>
    Buffer.from(`Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\n\r\n${text}\r\n--b--`);
  const parser = start({ workers: 1, processorMs: 1 });
  expect(await parser.readReport(report('x\r\n'.repeat(1_000_000)))).toMatchObject({
    failed: 'processor_time',
    isFinal: true,
  });
  await parser.close();
  expect(await parser.readReport(report('x'))).toMatchObject({ failed: 'closed', isFinal: false });
  expect(await parser.readReport(small('no report'))).toBeNull();
});

test('a mail that uses up its processor time gives its header, and the next one is read', async () => {
  const parser = start({ workers: 1, processorMs: 1 });
  await parser.parse(small('warm'));
  const slow = Buffer.from(
    `Subject: slow\r\nFrom: Anna <a@example.com>\r\nContent-Type: text/html\r\n\r\n${'<p>x'.repeat(200_000)}`,
  );
  const result = await parser.parse(slow, { envelopeFrom: '' });
  expect(result).toMatchObject({
    failed: 'processor_time',
    isFinal: true,
    mail: {
      subject: 'slow',
      from: { name: 'Anna', address: 'a@example.com' },
      autoSubmitted: true,
      text: null,
      attachments: [],
    },
  });
  const patient = start({ workers: 1, processorMs: 30_000 });
  expect(mailOf(await patient.parse(slow)).text).toMatch(/^x\n\nx/);
});

test('a mail that takes too much memory gives its header, and the next one is read', async () => {
  const parser = start({ workers: 1, heapMb: 40, processorMs: 30_000 });
  const greedy = Buffer.from(`Subject: greedy\r\n\r\n${'word wörd \r\n'.repeat(3_000_000)}`);
  expect(await parser.parse(greedy)).toMatchObject({
    failed: 'memory',
    isFinal: true,
    mail: { subject: 'greedy' },
  });
  expect(mailOf(await parser.parse(small('after'))).text).toBe('body');
});

test('large mail does not keep small mail waiting when there are two threads', async () => {
  const parser = start({ workers: 2 });
  await Promise.all([parser.parse(small('a')), parser.parse(small('b'))]);
  const large = Buffer.from(`Subject: large\r\n\r\n${'word \r\n'.repeat(600_000)}`);
  const order: string[] = [];
  const note = async (name: string, raw: Buffer) => {
    await parser.parse(raw);
    order.push(name);
  };
  await Promise.all([
    note('large', large),
    note('large', large),
    note('large', large),
    note('small', small('s')),
  ]);
  // It waits for no more than one of the large ones.
  expect(order.indexOf('small')).toBeLessThan(2);
});

test('closing answers what waits with its header, and so does parsing after that', async () => {
  const parser = createMailParser({ workers: 1 });
  const waiting = [parser.parse(small('running')), parser.parse(small('queued'))];
  await parser.close();
  expect((await Promise.all(waiting)).map((result) => mailOf(result).subject)).toEqual(['running', 'queued']);
  expect(await parser.parse(small('late'))).toMatchObject({
    failed: 'closed',
    isFinal: false,
    mail: { subject: 'late' },
  });
  await parser.close();
});

describe('hostile mail ends, and holds nobody else up', () => {
  test.each(Object.entries(hostileMails))('%s', async (_name, make) => {
    const raw = make();
    await shared.parse(small('warm'));
    const { value, stallPasses } = await measureStall(() =>
      shared.parse(raw, { envelopeFrom: 'env@example.com' }),
    );
    const mail = mailOf(value);
    expect(stallPasses).toBeLessThan(stallPassesMax);
    expect(mail.from).not.toBeNull();
    expect(Buffer.byteLength(mail.text ?? '')).toBeLessThanOrEqual(5_242_880);
    expect(mail.subject.length).toBeLessThanOrEqual(2_000);
    expect(mail.to.length).toBeLessThanOrEqual(2_000);
    expect(mail.references).toEqual([]);
  });
});

const corpora = ['mail', 'bounces'].map(
  (name) => new URL(`../../../../../shared/corpus/${name}/`, import.meta.url),
);
const corpus = corpora
  .filter((folder) => existsSync(folder))
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.eml'))
      .map((name) => [name, new URL(name, folder)] as const),
  );

test.runIf(corpus.length > 0)(
  'every real mail of the corpus is read',
  async () => {
    const failed: string[] = [];
    const empty: string[] = [];
    for (const [name, url] of corpus) {
      const result = await shared.parse(readFileSync(url), {
        withContent: true,
        envelopeFrom: 'env@example.com',
      });
      if ('failed' in result) failed.push(name);
      const mail = mailOf(result);
      expect(mail.from, name).not.toBeNull();
      expect(JSON.stringify(mail), name).not.toMatch(/\\u0000|\\ud[89a-f]/);
      if (mail.text === null && mail.html === null && mail.attachments.length === 0) empty.push(name);
    }
    console.info(`Read ${corpus.length} mails of the corpus; ${empty.length} have neither a body nor files.`);
    expect(failed).toEqual([]);
    expect(empty.length).toBeLessThan(corpus.length / 20);
  },
  600_000,
);

test.runIf(corpus.length === 0)(
  'the corpus of real mail is not beside this checkout, so it was not read',
  () => {
    console.info('Skipped: ../shared/corpus is absent.');
  },
);

test('the mail of one owner waits for no more than one of each other one', async () => {
  const parser = start({ workers: 1 });
  await parser.parse(small('warm'));
  const parts = '--b\r\nContent-Type: image/png\r\n\r\nabc\r\n'.repeat(900);
  const heavy = Buffer.from(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts}`);
  let flood = 0;
  for (let i = 0; i < 40; i += 1)
    void parser.parse(heavy, {}, 'flood').then(() => {
      flood += 1;
    });
  await parser.parse(small('honest'), {}, 'honest');
  expect(flood).toBeLessThan(10);
});

test('a page is made of HTML in a thread, and HTML that takes too much costs only its page', async () => {
  const options = { title: 'Hello', lang: 'en', remoteImages: false, inlineImages: {} };
  const patient = start({ workers: 1, processorMs: 20_000 });
  const shown = await patient.showHtml('<p>Grüße</p><img src="http://a.test/1">', options, 'owner');
  expect(shown).toMatchObject({ remoteImagesHeld: 1, cut: false });
  expect('document' in shown && shown.document).toContain('<p>Grüße</p>');
  const parser = start({ workers: 1, processorMs: 50 });
  await parser.parse(small('warm'));
  const hostile = `${'<div>'.repeat(19_000)}${'</p>'.repeat(20_000)}`;
  expect(await parser.showHtml(hostile, options, 'owner')).toMatchObject({
    failed: 'processor_time',
    isFinal: true,
  });
  expect(mailOf(await parser.parse(small('next'))).subject).toBe('next');
});

test('a caller whose patience is over gets the header, and the mail is not read for nobody', async () => {
  const parser = start({ workers: 1 });
  await parser.parse(small('warm'));
  const page = Buffer.from(`Content-Type: text/html\r\n\r\n${'<p>x'.repeat(100_000)}`);
  const busy = parser.parse(page);
  const late = await parser.parse(small('late'), {}, '', 1);
  expect(late).toMatchObject({ failed: 'late', isFinal: false, mail: { subject: 'late', text: null } });
  expect(mailOf(await busy).text).toMatch(/^x\n\nx/);
  expect(mailOf(await parser.parse(small('next'), {}, '', 300_000)).text).toBe('body');
});
