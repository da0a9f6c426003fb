import { createPublicKey } from 'node:crypto';
import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { systemClock } from '../lib/clock.ts';
import { deriveKeys } from '../lib/crypto/primitives.ts';
import { findSharedKey, openSharedSigner } from './open-shared-signer.ts';

let database: Database;
beforeAll(async () => {
  database = await openFreshDatabase();
});
beforeEach(() => database.pool.query('delete from signing_keys'));
afterAll(() => database.close());

const ses = 'smtps://a:b@email-smtp.eu-west-1.amazonaws.com';
const open = ({
  secret = 'secret',
  mailDomain = 'acme.com',
  transport = 'smtp' as Config['transport'],
  smtpRelays = ['smtp://relay.test'],
} = {}) =>
  openSharedSigner({
    db: database.db,
    keys: deriveKeys(secret),
    clock: systemClock,
    log: pino({ level: 'silent' }),
    config: { mailDomain, transport, smtpRelays },
  });
const rows = async () =>
  (await database.pool.query<{ sealed_key: string }>('select * from signing_keys')).rows;

test('the first start makes a key, which every later start has', async () => {
  const first = await open();
  expect(first).toMatchObject({ domain: 'acme.com', selector: expect.stringMatching(/^pr1-[0-9a-f]{6}$/) });
  const second = await open();
  expect(second?.selector).toBe(first?.selector);
  expect(first && second?.key.equals(first.key)).toBe(true);
});

test('the public part that is found is that of the key that signs', async () => {
  expect(await findSharedKey(database, 'acme.com')).toBeNull();
  const signer = await open();
  const found = await findSharedKey(database, 'acme.com');
  expect(found?.selector).toBe(signer?.selector);
  const der = Buffer.from(found?.publicKey ?? '', 'base64');
  const published = createPublicKey({ key: der, format: 'der', type: 'spki' });
  expect(signer && createPublicKey(signer.key).equals(published)).toBe(true);
});

test('several processes that start for the first time at once have one key', async () => {
  const signers = await Promise.all(Array.from({ length: 6 }, () => open()));
  expect(new Set(signers.map((signer) => signer?.key.export({ format: 'jwk' }).n)).size).toBe(1);
  expect(await rows()).toHaveLength(1);
});

test('the private part is stored encrypted, for its domain alone', async () => {
  await open();
  const [row] = await rows();
  expect(JSON.stringify(row)).not.toContain('PRIVATE');
  expect(row?.sealed_key.startsWith(`${deriveKeys('secret').keyId}.`)).toBe(true);
  await database.pool.query(`update signing_keys set domain = 'other.example'`);
  await expect(open({ mailDomain: 'other.example' })).rejects.toThrow();
});

test('a start with another secret makes another key with another selector, also if several start at once', async () => {
  const before = await open();
  const after = await Promise.all(Array.from({ length: 4 }, () => open({ secret: 'new' })));
  const selectors = new Set(after.map((signer) => signer?.selector));
  expect(selectors.size).toBe(1);
  expect(selectors).not.toContain(before?.selector);
  expect((await open({ secret: 'new' }))?.selector).toBe(after[0]?.selector);
});

test('each mail domain has its own key, and has it again when the server returns to it', async () => {
  const acme = await open();
  const other = await open({ mailDomain: 'other.example' });
  expect(other?.domain).toBe('other.example');
  expect(other?.selector).not.toBe(acme?.selector);
  expect((await open())?.selector).toBe(acme?.selector);
});

test('a server that does not sign makes no key', async () => {
  for (const transport of ['sandbox', 'ses'] as const) expect(await open({ transport })).toBeNull();
  expect(await open({ smtpRelays: [ses] })).toBeNull();
  expect(await open({ smtpRelays: [`${ses.replace('eu-west-1', 'cn-north-1')}.cn`] })).toBeNull();
  expect(await rows()).toEqual([]);
  expect(await open({ smtpRelays: [`${ses}.evil.example`] })).not.toBeNull();
});

test('mail that goes to receivers, or to a relay besides Amazon SES, is signed', async () => {
  expect(await open({ transport: 'direct', smtpRelays: [] })).not.toBeNull();
  expect(await open({ smtpRelays: [ses, 'smtp://relay.test'] })).not.toBeNull();
});
