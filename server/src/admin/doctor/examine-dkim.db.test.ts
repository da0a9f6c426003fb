import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { failingDns, makeDns } from '@postrider/testkit/mail/signed-mail.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../db/database.ts';
import { openSharedSigner } from '../../domains/open-shared-signer.ts';
import { systemClock } from '../../lib/clock.ts';
import { deriveKeys } from '../../lib/crypto/primitives.ts';
import { examineDkim } from './network/examine-sender.ts';

const config = { mailDomain: 'acme.com', transport: 'smtp' as const, smtpRelays: ['smtp://relay.test'] };
let database: Database;
beforeAll(async () => {
  database = await openFreshDatabase();
});
afterAll(() => database.close());

const start = (mailDomain: string) =>
  openSharedSigner({
    db: database.db,
    keys: deriveKeys('secret'),
    clock: systemClock,
    log: pino({ level: 'silent' }),
    config: { ...config, mailDomain },
  });
const examine = (records: Record<string, string[]>, change: object = {}) =>
  examineDkim(database, { ...config, ...change }, makeDns(records));

test('before the first start there is no key', async () => {
  expect(await examine({})).toMatchObject([{ state: 'note', text: expect.stringContaining('next start') }]);
});

test('the record is shown as a zone has it, and is fine once DNS has it', async () => {
  const signer = await start('acme.com');
  const name = `${signer?.selector}._domainkey.acme.com`;
  const [finding] = await examine({});
  expect(finding).toMatchObject({ state: 'problem', text: expect.stringContaining(`${name} has no record`) });
  const shown = finding?.remedy ?? '';
  expect(shown).toMatch(new RegExp(`${name}\\. TXT "v=DKIM1; k=rsa; p=[^"]{200,240}" "[^"]+"$`));
  const record = [...shown.matchAll(/"([^"]*)"/g)].map(([, text]) => text).join('');
  for (const published of [record, record.replaceAll('; ', ' ; '), `v=DKIM1;p=${record.split('p=')[1]};`])
    expect(await examine({ [`TXT ${name}`]: [published] })).toMatchObject([{ state: 'ok' }]);
});

test('another key, a revoked one, a second record or none of DKIM is a problem', async () => {
  const signer = await start('acme.com');
  const [finding] = await examine({});
  const record = [...(finding?.remedy ?? '').matchAll(/"([^"]*)"/g)].map(([, text]) => text).join('');
  const name = `TXT ${signer?.selector}._domainkey.acme.com`;
  for (const texts of [['v=DKIM1; p=MIIB'], ['v=DKIM1; p='], ['something else'], [record, 'v=DKIM1; p=x']])
    expect(await examine({ [name]: texts })).toMatchObject([
      { state: 'problem', remedy: expect.stringContaining('Publish only') },
    ]);
});

test('a resolver that does not answer is noted, with the record', async () => {
  await start('acme.com');
  expect(await examineDkim(database, config, failingDns('ETIMEOUT'))).toMatchObject([
    { state: 'note', text: expect.stringContaining('"v=DKIM1') },
  ]);
});

test('a domain that is in no DNS is not looked up, and a server that sends nothing needs no key', async () => {
  await start('acme.test');
  const unasked = failingDns('ETIMEOUT');
  expect(await examineDkim(database, { ...config, mailDomain: 'acme.test' }, unasked)).toMatchObject([
    { state: 'ok', text: expect.stringContaining('v=DKIM1') },
  ]);
  expect(await examineDkim(database, { ...config, transport: 'sandbox' }, unasked)).toEqual([]);
});
