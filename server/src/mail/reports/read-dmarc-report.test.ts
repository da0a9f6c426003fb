import { gzipSync } from 'node:zlib';
import {
  dmarcXml,
  type MadeRecord,
  mailWithFile,
  reportMail,
} from '@postrider/testkit/mail/made-dmarc-reports.ts';
import { zipSync } from 'fflate';
import { afterAll, describe, expect, test } from 'vitest';
import { createMailParser } from '../parse/parse-pool.ts';
import { countMails, type ReportScope, readDmarcReport } from './read-dmarc-report.ts';

const domain = 'mail.acme.example';
const scope: ReportScope = {
  hostname: domain,
  policyDomains: [domain, 'acme.example'],
  mailFromDomain: `bounce.${domain}`,
  selector: 'pr1',
};
const records: MadeRecord[] = [
  {
    source: '192.0.2.10',
    count: 900,
    dkim: 'pass',
    spf: 'pass',
    selector: 'pr1',
    envelope: `bounce.${domain}`,
  },
  { source: '192.0.2.11', count: 40, dkim: 'pass', selector: 'crm' },
  { source: '203.0.113.66', count: 7 },
  { source: '2001:db8::66', count: 30 },
  { source: '198.51.100.5', count: 3, envelope: `bounce.${domain}` },
];
const counted = [
  { isOwn: true, source: '198.51.100.5', passed: 0, failed: 3 },
  { isOwn: true, source: '', passed: 900, failed: 0 },
  { isOwn: false, source: '2001:db8::66', passed: 0, failed: 30 },
  { isOwn: false, source: '203.0.113.66', passed: 0, failed: 7 },
  { isOwn: false, source: '', passed: 40, failed: 0 },
];
const xml = (made: MadeRecord[], on = domain) => Buffer.from(dmarcXml({ domain: on, records: made }));
const counts = (made: MadeRecord[], on = domain) => countMails(xml(made, on), [scope]).counts[0];
const read = (raw: string | Buffer) => readDmarcReport(Buffer.from(raw), [scope]);
const fields = { from: 'a@b.example', to: 'c@d.example', domain, type: 'application/zip', name: 'report' };

describe('a report', () => {
  test.each(['google', 'yahoo', 'microsoft'] as const)(
    'in the format of %s is counted by source',
    async (receiver) => {
      const begin = new Date('2026-11-26T00:00:00Z');
      const found = await read(reportMail(receiver, { domain, records, begin, reportId: 'one' }));
      expect(found).toMatchObject({
        dmarc: { domain, reportId: 'one', begin: begin.getTime() / 1_000, counts: [counted] },
      });
    },
  );

  test('is recognised by its bytes, whatever its type and name are', async () => {
    const plain = xml(records);
    for (const file of [plain, gzipSync(plain), Buffer.from(zipSync({ 'x.txt': plain }))])
      for (const type of ['application/zip', 'application/x-gzip', 'application/octet-stream', 'text/xml'])
        expect(await read(mailWithFile({ ...fields, type }, file))).toMatchObject({
          dmarc: { counts: [counted] },
        });
  });

  test('of RFC 9990, with a namespace, comments and CDATA, says the same', () => {
    const text = xml(records)
      .toString()
      .replaceAll(/<(\/?)(\w+)/g, '<$1d:$2')
      .replace('<d:feedback>', '<d:feedback xmlns:d="urn:ietf:params:xml:ns:dmarc-2.0"><!-- <record> -->')
      .replace('>7<', '><![CDATA[7]]><');
    expect(countMails(Buffer.from(text), [scope]).counts).toEqual([counted]);
  });

  test('on the organisation counts only mail that claims to be from the domain', () => {
    const made = [
      { headerFrom: 'acme.example', count: 500 },
      { headerFrom: domain.toUpperCase(), count: 5 },
      { headerFrom: `news.${domain}`, count: 2 },
      { headerFrom: `evil${domain}`, count: 9 },
    ];
    expect(counts(made, 'acme.example')).toEqual([
      { isOwn: false, source: '203.0.113.66', passed: 0, failed: 7 },
    ]);
  });

  test('on another domain counts for nobody, and each scope has its own counts', () => {
    expect(counts([{ headerFrom: domain, count: 5 }], 'other.example')).toEqual([]);
    const other = { ...scope, hostname: 'other.example', policyDomains: ['other.example'] };
    expect(countMails(xml([{ count: 5 }]), [other, scope]).counts).toEqual([
      [],
      [{ isOwn: false, source: '203.0.113.66', passed: 0, failed: 5 }],
    ]);
  });

  test('names at most 50 failing sources, those with the most mail, and sums up the others', () => {
    const made = Array.from({ length: 80 }, (_, at) => ({ source: `192.0.2.${at}`, count: at + 1 }));
    const found = counts([...made, { source: 'no address', count: 1_000 }]) ?? [];
    expect(found).toHaveLength(51);
    expect(found[0]).toMatchObject({ source: '192.0.2.79', failed: 80 });
    expect(found.at(-1)).toMatchObject({ source: '', failed: 1_000 + (30 * 31) / 2 });
  });
});

describe('a hostile report', () => {
  test('with counts that are no positive numbers is read without them, and a huge one is cut', () => {
    for (const count of [-5, 0, '1.5', '1e400', 'NaN', '', 'ten'])
      expect([count, counts([{ count }, { count: 2 }])?.[0]?.failed]).toEqual([count, 2]);
    expect(counts([{ count: 9e15 }])?.[0]?.failed).toBe(1_000_000_000);
  });

  test.each<[string, Buffer, RegExp]>([
    ['a gzip bomb', gzipSync(Buffer.alloc(30_000_000)), /larger than/],
    ['a zip bomb', Buffer.from(zipSync({ 'a.xml': Buffer.alloc(30_000_000) })), /over 10485760 bytes/],
    ['a zip that lies about its size', lyingZip(), /cut off/],
    ['a zip with two files', Buffer.from(zipSync({ a: xml(records), b: xml(records) })), /several files/],
    ['a damaged zip', Buffer.from(zipSync({ a: xml(records) })).subarray(0, 200), /./],
    ['a damaged gzip', gzipSync(xml(records)).subarray(0, 100), /./],
    ['too large a file', Buffer.concat([gzipSync(xml(records)), Buffer.alloc(1_100_000)]), /over 1048576/],
    ['100,000 records', gzipSync(xml(Array.from({ length: 100_000 }, () => ({})))), /than/],
    ['10,001 records', gzipSync(xml(Array.from({ length: 10_001 }, () => ({})))), /more than 10000 records/],
    ['entities', Buffer.from(billionLaughs()), /document type/],
    ['deep nesting', Buffer.from(`<feedback>${'<a>'.repeat(100_000)}`), /nested too deeply/],
    ['an end that is missing', xml(records).subarray(0, -20), /cut off/],
    ['another root', Buffer.from('<?xml version="1.0"?><html></html>'), /not a DMARC report/],
    ['no report id', Buffer.from(dmarcXml({ domain, records, reportId: '' })), /report_id/],
    [
      'no dates',
      Buffer.from(
        xml(records)
          .toString()
          .replace(/<begin>\d+/, '<begin>'),
      ),
      /date_range/,
    ],
    ['no report', Buffer.from('Hello'), /no file with a report/],
  ])('with %s is not read', async (_, file, reason) => {
    const found = await read(mailWithFile(fields, file));
    expect(found).toEqual({ unread: expect.stringMatching(reason) });
  });

  test('with entities that nobody defined is read, and they stay text', () => {
    const text = xml([{ source: '&source; &#x41;', count: 5 }]).toString();
    expect(countMails(Buffer.from(text), [scope]).counts[0]).toEqual([
      { isOwn: false, source: '', passed: 0, failed: 5 },
    ]);
  });
});

describe('in a worker thread', () => {
  const parser = createMailParser({ workers: 1, processorMs: 1_500, heapMb: 64 });
  afterAll(() => parser.close());

  test('a report is read, a bomb is refused, and the next report is read again', async () => {
    const good = Buffer.from(reportMail('google', { domain, records }));
    const bomb = Buffer.from(mailWithFile(fields, Buffer.from(zipSync({ a: Buffer.alloc(30_000_000) }))));
    const results = await Promise.all(
      [good, bomb, good].map((raw) => parser.readDmarcReport(raw, [scope], 'me')),
    );
    expect(results.map((result) => 'dmarc' in result && result.dmarc.counts)).toEqual([
      [counted],
      false,
      [counted],
    ]);
  });
});

/** An archive whose directory says that its file has 600 bytes. */
function lyingZip(): Buffer {
  const zip = Buffer.from(zipSync({ 'a.xml': xml(records) }));
  const directory = zip.readUInt32LE(zip.length - 22 + 16);
  zip.writeUInt32LE(600, directory + 24);
  return zip;
}

function billionLaughs(): string {
  const entities = Array.from(
    { length: 9 },
    (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`,
  ).join('');
  return `<?xml version="1.0"?><!DOCTYPE feedback [<!ENTITY l0 "lol">${entities}]><feedback>&l9;</feedback>`;
}
