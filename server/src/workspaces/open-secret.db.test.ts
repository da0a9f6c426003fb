import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { openSecret } from './open-secret.ts';

const [one, other] = ['a'.repeat(64), 'b'.repeat(64)];
let database: Database;
let dataDir: string;

beforeEach(async () => {
  database = await openFreshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-secret-'));
});

afterEach(async () => {
  await database.close();
  await rm(dataDir, { recursive: true });
});

const open = (secret: string | null, newSecret = false) =>
  openSecret(database, { secret, dataDir }, { newSecret });

test('a database goes with the secret that it was first opened with', async () => {
  const { keyId } = await open(one);
  expect((await open(one)).keyId).toBe(keyId);
  await expect(open(other)).rejects.toThrow(
    'POSTRIDER_SECRET is not the one that this database was created with',
  );
  await writeFile(join(dataDir, 'secret'), other);
  await expect(open(null)).rejects.toThrow(`The secret in ${dataDir}/secret is not the one`);
  expect((await open(one)).keyId).toBe(keyId);
});

test('one of several processes that start at once with different secrets starts, and the others are refused', async () => {
  const starts = await Promise.allSettled(Array.from({ length: 6 }, (_, i) => open(String(i).repeat(64))));
  expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a secret that is missing is not made anew, and is taken back from the setting or the file', async () => {
  const { keyId } = await open(null);
  const secret = await readFile(join(dataDir, 'secret'), 'utf8');
  await rm(join(dataDir, 'secret'));
  await expect(open(null)).rejects.toThrow(`${dataDir}/secret is missing or empty`);
  await expect(readFile(join(dataDir, 'secret'))).rejects.toThrow('ENOENT');
  expect((await open(secret.trim())).keyId).toBe(keyId);
  await writeFile(join(dataDir, 'secret'), secret);
  expect((await open(null)).keyId).toBe(keyId);
});

test('another secret takes its place once it is told to, and from then on', async () => {
  const first = await open(one);
  const second = await open(other, true);
  expect(second.keyId).not.toBe(first.keyId);
  expect((await open(other)).keyId).toBe(second.keyId);
  await expect(open(one)).rejects.toThrow('is not the one');
  const made = await open(null, true);
  expect((await open(null)).keyId).toBe(made.keyId);
});

test('a database of a version that noted no secret is not given another one', async () => {
  await database.pool.query(
    `insert into workspaces (id, name, title, plan, is_test, created_at) values ('wsp_x', 'x', 'x', 'free', false, now())`,
  );
  await database.pool.query(
    `insert into inboxes (workspace_id, id, local_part, address, created_at) values ('wsp_x', 'inb_x', 'x', 'x@postrider.test', now())`,
  );
  await expect(open(null)).rejects.toThrow('is missing or empty');
  expect(await open(one)).toHaveProperty('keyId');
});
