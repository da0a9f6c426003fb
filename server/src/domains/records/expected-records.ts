import { brand, type Domain } from '@postrider/contract';
import { getDomain } from 'tldts';
import type { Config } from '../../config/config.ts';
import { dkimRecordOf } from '../../lib/crypto/dkim-key.ts';
import type { RecordPurpose } from '../domain.entity.ts';
import { bounceDomain } from '../mail-domain.ts';

/** The part of a domain that decides which records it publishes. */
export interface PublishedDomain {
  hostname: string;
  kind: Domain['kind'];
  dmarc_policy: Domain['dmarc_policy'];
  ownership_token: string;
  dkim_selector: string;
  dkim_public_key: string;
}

/** A record that a domain has to publish. */
export interface ExpectedRecord {
  purpose: RecordPurpose;
  type: 'TXT' | 'MX';
  name: string;
  value: string;
  priority: number | null;
}

const exchangePriority = 10;

type Settings = Pick<Config, 'smtp' | 'spf' | 'transport' | 'ses'>;

/**
 * Returns the records that a domain has to publish, in the order in which they are shown. A dedicated subdomain has no ownership record,
 * because its parent is the service's own. `reportAddress` is where receivers send DMARC reports; null if the record asks for none.
 */
export function expectedRecords(
  config: Settings,
  domain: PublishedDomain,
  reportAddress: string | null,
): ExpectedRecord[] {
  const { hostname, kind, ownership_token, dkim_selector, dkim_public_key, dmarc_policy } = domain;
  const mailFrom = bounceDomain(hostname);
  const reports = reportAddress === null ? '' : `; rua=mailto:${reportAddress}`;
  const text = (purpose: RecordPurpose, name: string, value: string): ExpectedRecord => ({
    purpose,
    type: 'TXT',
    name,
    value,
    priority: null,
  });
  const exchange = (purpose: RecordPurpose, name: string, value: string): ExpectedRecord => ({
    purpose,
    type: 'MX',
    name,
    value,
    priority: exchangePriority,
  });
  return [
    ...(kind === 'byo'
      ? [text('ownership', `_${brand.script}.${hostname}`, `${brand.script}-verification=${ownership_token}`)]
      : []),
    text('dkim', `${dkim_selector}._domainkey.${hostname}`, dkimRecordOf(dkim_public_key)),
    text('spf', mailFrom, `v=spf1 ${config.spf} -all`),
    exchange('mail_from', mailFrom, returnExchange(config)),
    text('dmarc', `_dmarc.${hostname}`, `v=DMARC1; p=${dmarc_policy}${reports}`),
    exchange('inbound', hostname, config.smtp.hostname.toLowerCase()),
  ];
}

/** Returns the host that takes reports for the MAIL FROM domain. Amazon SES requires its own there. */
function returnExchange({ transport, ses, smtp }: Settings): string {
  return transport === 'ses' && ses
    ? `feedback-smtp.${ses.region}.amazonses.com`
    : smtp.hostname.toLowerCase();
}

/** Returns the domain that a DNS provider has as a zone for a hostname, by the Public Suffix List. */
export function registrableDomain(hostname: string): string {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}

/** Returns a name as it is entered in the form of a DNS provider, which appends the zone: `_dmarc`, or `@` for the zone itself. */
export function relativeName(name: string, zone: string): string {
  return name === zone ? '@' : name.slice(0, -(zone.length + 1));
}
