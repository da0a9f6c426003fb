/*
 * Reads a mail that brings a DMARC report (RFC 9990), and counts its mails for the domains that want to know. Runs in a worker thread, so
 * that a hostile report holds up nothing else; only the counts leave it.
 */
import { isIP } from 'node:net';
import { readMime } from '../parse/read-mime.ts';
import { type DmarcHead, type DmarcRecord, readDmarcXml } from './dmarc-xml.ts';
import { kindOfReport, unpackReport } from './unpack-report.ts';

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
