/*
 * Reads a mail with a DMARC report (RFC 9990), and counts its mails for the domains that asked for reports. Runs in a worker thread, so
 * that a hostile report delays nothing else; only the counts leave the thread.
 *
 * Media types and file names of report files (RFC 7489, section 7.2.1.1) are unreliable, so their first bytes decide: gzip, a zip archive
 * with one file, or plain XML. A file that grows beyond 10 MB is not unpacked further.
 */
import { isIP } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { readMime } from '../parse/read-mime.ts';
import { type DmarcHead, type DmarcRecord, readDmarcXml } from './dmarc-xml.ts';

/** A domain that reports are counted for. */
export interface ReportScope {
  hostname: string;
  /** The domains whose policy applies to it: its own and its organisation's. */
  policyDomains: string[];
  /** The domain of its return paths and the selector of its key, by which this server's own mail is recognised. */
  mailFromDomain: string;
  selector: string;
}

/** The mails of a report from one source, or from all that are not counted separately if `source` is empty. */
export interface DmarcCount {
  source: string;
  /** Whether this server has sent them, by their return path or their signature. */
  isOwn: boolean;
  passed: number;
  failed: number;
}

export type { DmarcHead };

/** A report with the counts for each scope, in their order. A scope has none if the report is not on its domain. */
export interface DmarcReport extends DmarcHead {
  counts: DmarcCount[][];
}

/** The failing sources of a report that are counted separately. */
const sourcesMax = 50;

/** Reads the report of a mail. Returns the reason as `unread` if there is no report in it or it cannot be read; never rejects. */
export async function readDmarcReport(
  raw: Buffer,
  scopes: ReportScope[],
): Promise<{ dmarc: DmarcReport } | { unread: string }> {
  try {
    const { files } = await readMime(raw, () => true);
    for (const { content } of files) {
      const kind = content && kindOfReport(content);
      if (content && kind) return { dmarc: countMails(unpackReport(content, kind), scopes) };
    }
    return { unread: 'There is no file with a report.' };
  } catch (error) {
    return { unread: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns a report with its counts, from its XML. Throws an Error if it is not a report. */
export function countMails(xml: Buffer, scopes: ReportScope[]): DmarcReport {
  const counters = scopes.map((scope) => createCounter(scope));
  const head = readDmarcXml(xml, (record) => {
    for (const { add } of counters) add(record);
  });
  return {
    ...head,
    counts: counters.map(({ counts }, at) =>
      scopes[at]?.policyDomains.includes(head.domain) ? counts() : [],
    ),
  };
}

function createCounter({ hostname, mailFromDomain, selector }: ReportScope) {
  const passed = { own: 0, other: 0 };
  const failed = { own: new Map<string, number>(), other: new Map<string, number>() };
  const isOwn = ({ spfDomains, dkimSelectors }: DmarcRecord) =>
    spfDomains.includes(mailFromDomain) ||
    dkimSelectors.some((signer) => signer.domain === hostname && signer.selector === selector);
  return {
    add: (record: DmarcRecord) => {
      const { headerFrom, passes, count, sourceIp } = record;
      if (headerFrom !== hostname && !headerFrom.endsWith(`.${hostname}`)) return;
      const whose = isOwn(record) ? 'own' : 'other';
      const source = isIP(sourceIp) > 0 ? sourceIp : '';
      if (passes) passed[whose] += count;
      else failed[whose].set(source, (failed[whose].get(source) ?? 0) + count);
    },
    counts: (): DmarcCount[] =>
      (['own', 'other'] as const).flatMap((whose) => {
        const sources = [...failed[whose]].sort(([, a], [, b]) => b - a);
        const separate = sources.filter(([source]) => source !== '').slice(0, sourcesMax);
        const rest = sources
          .filter((each) => !separate.includes(each))
          .reduce((sum, [, count]) => sum + count, 0);
        const base = { isOwn: whose === 'own' };
        return [
          ...separate.map(([source, count]) => ({ ...base, source, passed: 0, failed: count })),
          ...(passed[whose] + rest > 0 ? [{ ...base, source: '', passed: passed[whose], failed: rest }] : []),
        ];
      }),
  };
}

/** The largest file of a report, as it was sent and unpacked. */
const reportFileLimits: { packedBytes: number; unpackedBytes: number } = {
  packedBytes: 1_048_576,
  unpackedBytes: 10_485_760,
};

type Kind = 'gzip' | 'zip' | 'xml';

/** Returns the kind of a file that may be a report, or null. */
function kindOfReport(file: Buffer): Kind | null {
  if (file.length > 2 && file[0] === 0x1f && file[1] === 0x8b) return 'gzip';
  if (file.subarray(0, 4).toString('latin1') === 'PK\x03\x04') return 'zip';
  return /^(?:\xef\xbb\xbf)?\s*<(?:\?xml|!--|(?:\w+:)?feedback)/.test(
    file.subarray(0, 200).toString('latin1'),
  )
    ? 'xml'
    : null;
}

/** Returns the XML of a file, which has to be of this kind. Throws an Error if it is damaged or over a limit. */
function unpackReport(file: Buffer, kind: Kind): Buffer {
  const { packedBytes, unpackedBytes } = reportFileLimits;
  if (kind !== 'xml' && file.length > packedBytes) throw new Error(`The file has over ${packedBytes} bytes.`);
  if (kind === 'gzip') return gunzipSync(file, { maxOutputLength: unpackedBytes });
  if (kind === 'zip') return unzipReport(file);
  if (file.length > unpackedBytes) throw new Error(`The file has over ${unpackedBytes} bytes.`);
  return file;
}

function unzipReport(file: Buffer): Buffer {
  let entries = 0;
  const files = unzipSync(file, {
    filter: ({ originalSize }) => {
      entries += 1;
      if (entries > 1) throw new Error('The archive has several files.');
      // fflate reserves this size and writes nothing beyond it, so an archive that lies about it ends within the XML.
      if (originalSize > reportFileLimits.unpackedBytes)
        throw new Error(`The file in the archive has over ${reportFileLimits.unpackedBytes} bytes.`);
      return true;
    },
  });
  const [content] = Object.values(files);
  if (!content) throw new Error('The archive is empty.');
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
}
