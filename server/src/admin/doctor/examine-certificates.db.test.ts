import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../config/config.ts';
import type { Database } from '../../db/database.ts';
import { examineCertificates } from './examine-certificates.ts';

const config = readConfig({
  POSTRIDER_HTTP_HOST: '0.0.0.0',
  POSTRIDER_ACME_EMAIL: 'ops@example.com',
  POSTRIDER_PUBLIC_URL: 'https://mail.example.com',
  POSTRIDER_SMTP_PORT: 'off',
});
const now = new Date('2026-12-01T12:00:00Z');
let database: Database;
beforeAll(async () => {
  database = await openFreshDatabase();
});
beforeEach(() => database.pool.query('delete from tls_certificates'));
afterAll(() => database.close());

const store = (validTo: string | null, failure: string | null) =>
  database.pool.query(
    `insert into tls_certificates (hostname, directory, valid_to, due_at, fence, failures, failure, failed_at)
      values ('mail.example.com', 'https://ca.example/directory', $1, '2026-12-01T13:00:00Z', 1, 0, $2, '2026-12-01T11:00:00Z')`,
    [validTo, failure],
  );
const examine = () => examineCertificates(database, config, now);

test('a server without ACME has no finding, and one before its first order a note', async () => {
  expect(await examineCertificates(database, readConfig({}), now)).toEqual([]);
  expect(await examine()).toMatchObject([
    { state: 'note', text: expect.stringContaining('no certificate yet') },
  ]);
});

test('a server that only this machine reaches is told of it', async () => {
  await store('2026-12-02T00:00:00Z', null);
  const local = { ...config, http: { host: '127.0.0.1', port: 80 } };
  expect(await examineCertificates(database, local, now)).toMatchObject([
    { state: 'note', text: expect.stringContaining('127.0.0.1') },
    { state: 'ok' },
  ]);
});

test('a certificate is fine until it ends', async () => {
  await store('2026-12-02T00:00:00Z', null);
  expect(await examine()).toEqual([
    {
      part: 'acme',
      state: 'ok',
      text: 'the certificate of mail.example.com is valid until 2026-12-02T00:00:00.000Z',
    },
  ]);
  await database.pool.query(`update tls_certificates set valid_to = '2026-11-30'`);
  expect(await examine()).toMatchObject([{ state: 'problem', text: expect.stringContaining('expired at') }]);
});

test('a certificate that no process renews is a problem, long before it ends', async () => {
  await store('2026-12-02T00:00:00Z', null);
  await database.pool.query(`update tls_certificates set due_at = '2026-12-01T11:30:00Z'`);
  expect(await examine()).toMatchObject([{ state: 'ok' }]);
  await database.pool.query(`update tls_certificates set due_at = '2026-12-01T10:30:00Z'`);
  expect(await examine()).toMatchObject([
    {
      state: 'problem',
      text: expect.stringMatching(/is valid until .*; no process has checked since 2026-12-01T10:30/),
      remedy: expect.stringContaining('role worker'),
    },
  ]);
});

test('a failure is told with its time, its words and the time of the next order', async () => {
  await store(null, 'The ACME server answers 429: too many.');
  expect(await examine()).toMatchObject([
    {
      state: 'problem',
      text: 'mail.example.com has no certificate yet; the last order failed at 2026-12-01T11:00:00.000Z: The ACME server answers 429: too many.',
      remedy: expect.stringContaining('2026-12-01T13:00:00.000Z'),
    },
  ]);
});
