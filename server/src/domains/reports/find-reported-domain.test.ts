import { expect, test } from 'vitest';
import { readConfig } from '../../config/config.ts';
import { deriveKeys } from '../../lib/crypto/primitives.ts';
import { newId } from '../../lib/ids.ts';
import { reportAddressFor } from './find-reported-domain.ts';

const keys = deriveKeys('a root secret');
const config = readConfig({ POSTRIDER_DATA_DIR: '/nowhere' });
const domain = { workspace_id: newId('wsp'), id: newId('dom'), hostname: 'mail.acme.example' };

test('a domain takes reports at its MAIL FROM domain, unless that leads to Amazon SES', () => {
  expect(reportAddressFor({ config, keys }, domain)).toMatch(/^dmarc\+\w{54}@bounce\.mail\.acme\.example$/);
  expect(reportAddressFor({ config: { ...config, transport: 'ses' }, keys }, domain)).toBeNull();
});

test('a domain whose address would be too long for SMTP takes no reports', () => {
  const ofLength = (length: number) => ({ ...domain, hostname: `${'a.'.repeat(length / 2 - 2)}test` });
  expect(reportAddressFor({ config, keys }, ofLength(186))).toHaveLength(254);
  expect(reportAddressFor({ config, keys }, ofLength(188))).toBeNull();
});
