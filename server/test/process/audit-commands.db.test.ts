import { spawn } from 'node:child_process';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fillAuditLog } from '@postrider/testkit/database/filled-audit-log.ts';
import { makeServerHome, type ServerHome } from '@postrider/testkit/servers/server-process.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/db/database.ts';

const count = 1_200;
const page = new URL('../../../docs/self-hosting/audit-log.md', import.meta.url);
let home: ServerHome;
let database: Database;
let lastHash: string;

beforeAll(async () => {
  home = await makeServerHome();
  await (await home.start()).stop();
  database = await openDatabase({ url: home.env.DATABASE_URL ?? '' });
  const { rows } = await database.pool.query("select id from workspaces where name = 'home'");
  await database.pool.query('delete from audit_entries; delete from audit_heads');
  lastHash = await fillAuditLog(database, rows[0].id, count);
});
afterAll(async () => {
  await database.close();
  await home.remove();
});

const ofHome = ['--workspace', 'home'];
const run = async (...args: string[]) => {
  const { code, output } = await home.run(['audit', ...args]);
  return [code, output.trim()] as const;
};

/** Returns what an export writes to standard output. */
const exported = () => text(home.spawn(['audit', 'export', ...ofHome]).stdout as Readable);

/** Runs the program of the documentation with an export. */
const verifyByHand = async (lines: string): Promise<[number | null, string]> => {
  const script = /```js\n(\/\/ verify-audit\.mjs\n[\s\S]*?)```/.exec(await readFile(page, 'utf8'))?.[1] ?? '';
  const program = join(home.dataDir, 'verify-audit.mjs');
  const data = join(home.dataDir, 'audit.jsonl');
  await writeFile(program, script);
  await writeFile(data, lines);
  const input = await open(data);
  const child = spawn(process.execPath, [program], { stdio: [input.fd, 'pipe', 'inherit'] });
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const output = await text(child.stdout as Readable);
  await input.close();
  return [await code, output.trim()];
};

test('the verbs show, verify and export the log of a running server', async () => {
  const server = await home.start();
  const [, listed] = await run('list', ...ofHome, '--limit', '2');
  expect(listed.split('\n')).toEqual([
    expect.stringMatching(
      /^1200 {2}\S+Z {2}operator {2}webhook\.changed {2}whk_1199 {2}\{"enabled":true\} → \{"url":"https:.*ü","enabled":false\}$/,
    ),
    expect.stringMatching(/^1199 {2}/),
  ]);
  const [, json] = await run('list', ...ofHome, '--limit', '1', '--action', 'webhook.changed', '--json');
  expect(JSON.parse(json)).toMatchObject([{ seq: count, hash: lastHash }]);

  expect(await run('verify', '--noted', lastHash)).toEqual([
    0,
    expect.stringMatching(
      new RegExp(
        `^home: intact, 1200 entries since \\S+; entry 1200, the last one, has the hash ${lastHash}$`,
      ),
    ),
  ]);
  expect(await run('verify', '--noted', 'f'.repeat(64))).toEqual([
    1,
    expect.stringContaining('No entry has the hash fff'),
  ]);

  const lines = await exported();
  expect(lines.trim().split('\n')).toHaveLength(count);
  expect(await verifyByHand(lines)).toEqual([0, `Intact up to entry 1200 with the hash ${lastHash}`]);
  const broken = [1, 'Entry 700 is not what was recorded, or does not follow the one before it.'];
  expect(await verifyByHand(lines.replace('whk_699', 'whk_698'))).toEqual(broken);
  expect(await verifyByHand(lines.replace(/\{[^\n]*whk_698.*\n/, ''))).toEqual(broken);
  await server.stop();
});

test('without a server they read its database, and a broken log is named', async () => {
  expect((await exported()).trim().split('\n')).toHaveLength(count);
  await database.pool.query('delete from audit_entries where seq in (3, 4)');
  expect(await run('verify', ...ofHome)).toEqual([1, 'home: broken, entries 3 to 4 are missing']);
});
