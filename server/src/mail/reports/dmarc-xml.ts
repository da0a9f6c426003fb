/*
 * Reads the XML of a DMARC report (RFC 9990, and RFC 7489, appendix C) as a stream. Anybody can write one, so nothing of it is kept but the
 * fields that count, each cut at 255 characters. Document types are refused, and with them all entities but the five of XML.
 */
import { Parser } from 'htmlparser2';

/** One record of a report: the mails of one source that had the same results. */
export interface DmarcRecord {
  sourceIp: string;
  count: number;
  /** Whether DKIM or SPF passed for the author's domain. */
  passes: boolean;
  headerFrom: string;
  dkimSelectors: { domain: string; selector: string }[];
  spfDomains: string[];
}

/** The part of a report before its records. The times are in seconds since 1970. */
export interface DmarcHead {
  orgName: string;
  reportId: string;
  begin: number;
  end: number;
  /** The domain whose policy the report is on. */
  domain: string;
}

const recordsMax = 10_000;
const depthMax = 20;
const textLengthMax = 255;
const resultsMax = 20;
/** No receiver gets more mail of one source in a day, and sums stay exact. */
const countMax = 1_000_000_000;
const piece = 65_536;

const recordPath = 'record';
const dkimPath = 'record/auth_results/dkim';
const spfPath = 'record/auth_results/spf';
/** The fields that are read, by their path below `feedback`. */
const fieldPaths = new Set([
  'report_metadata/org_name',
  'report_metadata/report_id',
  'report_metadata/date_range/begin',
  'report_metadata/date_range/end',
  'policy_published/domain',
  ...[
    'row/source_ip',
    'row/count',
    'row/policy_evaluated/dkim',
    'row/policy_evaluated/spf',
    'identifiers/header_from',
  ].map((field) => `${recordPath}/${field}`),
  ...['domain', 'selector', 'result'].map((field) => `${dkimPath}/${field}`),
  `${spfPath}/domain`,
]);

/**
 * Reads a report and passes each record to `take`, without those whose count is not a positive number.
 *
 * @throws Error if it is not a whole report, has a document type, or has more than 10,000 records.
 */
export function readDmarcXml(xml: Buffer, take: (record: DmarcRecord) => void): DmarcHead {
  const path: string[] = [];
  const head = new Map<string, string>();
  let fields = new Map<string, string>();
  let record = emptyRecord();
  let text = '';
  let records = 0;
  let isWhole = false;
  const close = (at: string) => {
    if (at === recordPath) {
      const whole = readRecord(record, fields);
      if (whole) take(whole);
      fields = new Map();
      record = emptyRecord();
    } else if (at === dkimPath) addSigner(record, fields);
    else if (at === spfPath) addSender(record, fields);
    else if (fieldPaths.has(at)) (at.startsWith(`${recordPath}/`) ? fields : head).set(at, text.trim());
  };
  const parser = new Parser(
    {
      onopentagname: (name) => {
        path.push(localName(name));
        text = '';
        if (path.length > depthMax) throw new Error('The report is nested too deeply.');
        if (path.length === 1 && path[0] !== 'feedback') throw new Error('It is not a DMARC report.');
        if (path.length === 2 && path[1] === recordPath && ++records > recordsMax)
          throw new Error(`The report has more than ${recordsMax} records.`);
      },
      ontext: (data) => {
        if (text.length < textLengthMax) text = (text + data).slice(0, textLengthMax);
      },
      onclosetag: (_name, isImplied) => {
        if (isImplied) throw new Error('The report is cut off.');
        close(path.slice(1).join('/'));
        path.pop();
        text = '';
        isWhole ||= path.length === 0;
      },
      onprocessinginstruction: (name) => {
        if (name.startsWith('!')) throw new Error('The report has a document type.');
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  // In pieces, so that a report that is refused is not read to its end.
  const whole = xml.toString('utf8');
  for (let at = 0; at < whole.length; at += piece) parser.write(whole.slice(at, at + piece));
  parser.end();
  if (!isWhole) throw new Error('It is not a DMARC report.');
  return readHead(head);
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

function readHead(fields: Map<string, string>): DmarcHead {
  const read = (at: string) => fields.get(at) ?? '';
  const reportId = read('report_metadata/report_id');
  const begin = Number(read('report_metadata/date_range/begin') || Number.NaN);
  const end = Number(read('report_metadata/date_range/end') || Number.NaN);
  if (reportId === '') throw new Error('The report has no report_id.');
  if (!(end >= begin)) throw new Error('The report has no valid date_range.');
  const domain = domainName(read('policy_published/domain'));
  return { orgName: read('report_metadata/org_name'), reportId, begin, end, domain };
}

function emptyRecord(): Pick<DmarcRecord, 'dkimSelectors' | 'spfDomains'> {
  return { dkimSelectors: [], spfDomains: [] };
}

function readRecord(
  lists: Pick<DmarcRecord, 'dkimSelectors' | 'spfDomains'>,
  fields: Map<string, string>,
): DmarcRecord | null {
  const read = (at: string) => (fields.get(`${recordPath}/${at}`) ?? '').toLowerCase();
  const count = Number(read('row/count') || Number.NaN);
  if (!Number.isInteger(count) || count <= 0) return null;
  return {
    ...lists,
    sourceIp: read('row/source_ip'),
    count: Math.min(count, countMax),
    passes: [read('row/policy_evaluated/dkim'), read('row/policy_evaluated/spf')].includes('pass'),
    headerFrom: domainName(read('identifiers/header_from')),
  };
}

/** Notes a signature that passed. */
function addSigner({ dkimSelectors }: Pick<DmarcRecord, 'dkimSelectors'>, fields: Map<string, string>) {
  const domain = domainName(fields.get(`${dkimPath}/domain`) ?? '');
  const selector = (fields.get(`${dkimPath}/selector`) ?? '').toLowerCase();
  const isGood = fields.get(`${dkimPath}/result`)?.toLowerCase() === 'pass';
  if (isGood && dkimSelectors.length < resultsMax) dkimSelectors.push({ domain, selector });
  for (const name of ['domain', 'selector', 'result']) fields.delete(`${dkimPath}/${name}`);
}

/** Notes the domain of the envelope, whatever the result of SPF was. */
function addSender({ spfDomains }: Pick<DmarcRecord, 'spfDomains'>, fields: Map<string, string>) {
  const domain = domainName(fields.get(`${spfPath}/domain`) ?? '');
  if (spfDomains.length < resultsMax) spfDomains.push(domain);
  fields.delete(`${spfPath}/domain`);
}

function domainName(text: string): string {
  return text.toLowerCase().replace(/\.$/, '');
}
