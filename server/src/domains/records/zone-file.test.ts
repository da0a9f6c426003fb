import { expect, test } from 'vitest';
import { readConfig } from '../../config/config.ts';
import { expectedRecords } from './expected-records.ts';
import { domainConnectTemplate, zoneFileText } from './zone-file.ts';

const config = readConfig({ POSTRIDER_SMTP_HOSTNAME: 'mx.host.example', POSTRIDER_DATA_DIR: '/nowhere' });
const domain = {
  hostname: 'mail.acme.co.uk',
  kind: 'byo',
  dmarc_policy: 'none',
  ownership_token: 'abc',
  dkim_selector: 'pr1',
  dkim_public_key: 'M'.repeat(392),
} as const;
const reports = 'dmarc+0@bounce.mail.acme.co.uk';

test('a zone file has names relative to the zone of the provider, and strings of at most 255 characters', () => {
  const lines = zoneFileText(domain.hostname, expectedRecords(config, domain, reports)).split('\n');
  expect(lines).toEqual([
    '$ORIGIN acme.co.uk.',
    '_postrider.mail 300 IN TXT "postrider-verification=abc"',
    `pr1._domainkey.mail 300 IN TXT "v=DKIM1; k=rsa; p=${'M'.repeat(237)}" "${'M'.repeat(155)}"`,
    'bounce.mail 300 IN TXT "v=spf1 a:mx.host.example -all"',
    'bounce.mail 300 IN MX 10 mx.host.example.',
    '_dmarc.mail 300 IN TXT "v=DMARC1; p=none; rua=mailto:dmarc+0@bounce.mail.acme.co.uk"',
    'mail 300 IN MX 10 mx.host.example.',
    '',
  ]);
  expect(
    zoneFileText('acme.example', expectedRecords(config, { ...domain, hostname: 'acme.example' }, null)),
  ).toContain('\n@ 300 IN MX 10 mx.host.example.\n');
});

test('a Domain Connect template has variables where domains differ', () => {
  const { records, providerId } = domainConnectTemplate(
    'host.example',
    domain.hostname,
    expectedRecords(config, domain, reports),
  );
  expect(providerId).toBe('host.example');
  expect(records.map(({ type, host, data, pointsTo }) => [type, host, data ?? pointsTo])).toEqual([
    ['TXT', '_postrider', 'postrider-verification=%token%'],
    ['TXT', '%selector%._domainkey', 'v=DKIM1; k=rsa; p=%key%'],
    ['TXT', 'bounce', 'v=spf1 a:mx.host.example -all'],
    ['MX', 'bounce', 'mx.host.example'],
    ['TXT', '_dmarc', 'v=DMARC1; p=none; rua=mailto:%reports%'],
    ['MX', '@', 'mx.host.example'],
  ]);
});
