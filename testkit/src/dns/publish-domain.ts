import type { DnsRecord, Domain } from '@postrider/contract';
import type { DnsServer } from './dns-server.ts';

type Purpose = DnsRecord['purpose'];

/** Publishes the records of a domain as its owner would, all of them or those for some purposes. */
export function publishRecords(dns: DnsServer, { records }: Domain, purposes?: Purpose[]): void {
  for (const { type, name, value, priority, purpose } of records) {
    if (purposes && !purposes.includes(purpose)) continue;
    if (type === 'MX') dns.set(name, 'MX', [`${priority} ${value}`]);
    // A string of TXT has 255 octets at most.
    else dns.set(name, 'TXT', [value.match(/.{1,255}/g) ?? []]);
  }
}

/** Removes the records of a domain for some purposes. */
export function withdrawRecords(dns: DnsServer, { records }: Domain, purposes: Purpose[]): void {
  for (const { type, name, purpose } of records)
    if (purposes.includes(purpose)) dns.remove(name, type as 'TXT' | 'MX');
}
