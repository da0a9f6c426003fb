/*
 * The template by which DNS providers that take part in Domain Connect (draft-ietf-dconn-domainconnect) publish the records of a domain
 * after its owner has agreed once. The values that differ between domains are its variables. `host` is relative to the domain that is set
 * up.
 */
import { brand } from '@postrider/contract';
import type { ExpectedRecord } from './expected-records.ts';

const ttlSeconds = 3_600;

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
    records: records.map((record) => templateOf(record, hostname)),
  };
}

function templateOf(
  { purpose, type, name, value, priority }: ExpectedRecord,
  hostname: string,
): TemplateRecord {
  const host = name === hostname ? '@' : name.slice(0, -(hostname.length + 1));
  const base = { type, host, ttl: ttlSeconds };
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
