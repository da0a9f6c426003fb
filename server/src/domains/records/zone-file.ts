import { brand } from '@postrider/contract';
import { type ExpectedRecord, registrableDomain, relativeName } from './expected-records.ts';

const zoneFileTtlSeconds = 300;
/** The longest string of a TXT record (RFC 1035, section 3.3). */
const stringLengthMax = 255;

/** Returns the records of a domain as lines of a zone file (RFC 1035, section 5), with names relative to the provider's zone. */
export function zoneFileText(hostname: string, records: ExpectedRecord[]): string {
  const zone = registrableDomain(hostname);
  const lines = records.map(
    ({ name, type, value, priority }) =>
      `${relativeName(name, zone)} ${zoneFileTtlSeconds} IN ${type} ${type === 'MX' ? `${priority} ${value}.` : quoteText(value)}`,
  );
  return [`$ORIGIN ${zone}.`, ...lines, ''].join('\n');
}

/** Returns a text as a zone file has it: in strings of at most 255 octets, which receivers join. */
export function quoteText(value: string): string {
  const strings = value.match(new RegExp(`.{1,${stringLengthMax}}`, 'g')) ?? [''];
  return strings.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(' ');
}

/*
 * The template by which DNS providers that take part in Domain Connect (draft-ietf-dconn-domainconnect) publish the records of a domain
 * after its owner has agreed once. The values that differ between domains are its variables. `host` is relative to the domain that is set
 * up.
 */

const templateTtlSeconds = 3_600;

interface TemplateRecord {
  type: 'TXT' | 'MX';
  host: string;
  ttl: number;
  data?: string;
  pointsTo?: string;
  priority?: number;
  txtConflictMatchingMode?: 'None' | 'Prefix' | 'All';
  txtConflictMatchingPrefix?: string;
}

/** Returns the template of a provider of mail, whose id is its domain, from the records of any of its customers' domains. */
export function domainConnectTemplate(provider: string, hostname: string, records: ExpectedRecord[]) {
  return {
    providerId: provider,
    providerName: brand.product,
    serviceId: 'mail',
    serviceName: `${brand.product} mail`,
    version: 1,
    description: 'Sends and receives mail of a domain.',
    variableDescription:
      '%token%: the proof of ownership. %selector% and %key%: the DKIM key. %reports%: the address for DMARC reports.',
    syncBlock: false,
    records: records.map((record) => templateRecord(record, hostname)),
  };
}

function templateRecord(
  { purpose, type, name, value, priority }: ExpectedRecord,
  hostname: string,
): TemplateRecord {
  const host = name === hostname ? '@' : name.slice(0, -(hostname.length + 1));
  const base = { type, host, ttl: templateTtlSeconds };
  if (type === 'MX') return { ...base, pointsTo: value, priority: priority ?? 0 };
  switch (purpose) {
    case 'ownership':
      return { ...base, data: `${value.slice(0, value.indexOf('=') + 1)}%token%` };
    case 'dkim':
      return { ...base, host: '%selector%._domainkey', data: value.replace(/p=.*/, 'p=%key%') };
    default:
      return {
        ...base,
        data: value.replace(/(?<=;\s*rua=mailto:).*/, '%reports%'),
        txtConflictMatchingMode: 'Prefix',
        txtConflictMatchingPrefix: value.slice(0, value.indexOf('=') + 5),
      };
  }
}
