import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startServer } from '@postrider/example-start-server';
import { Postrider } from 'postrider';
import type { StartedServer } from 'postrider/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const here = fileURLToPath(new URL('.', import.meta.url));
const rootFolder = join(here, '..', '..');
const answer = /^bob-\d+@postrider\.test: Re: Lunch\?\nMake it half past\.\n$/;

let server: StartedServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

/** Runs a file as a reader would: with nothing but the key and the address of the server. */
const runFile = (file: string, cwd: string) =>
  run(process.execPath, [file], {
    cwd,
    env: { POSTRIDER_API_KEY: server.apiKey, POSTRIDER_BASE_URL: server.baseURL },
    timeout: 300_000,
  });

test('the quickstart runs as printed and prints the reply', async () => {
  const { stdout, stderr } = await runFile('quickstart.ts', here);
  expect(stdout).toMatch(answer);
  expect(stderr).toBe('');
});

test('the quickstart runs a second time on the same server, and as a JavaScript module', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-quickstart-'));
  try {
    await mkdir(join(folder, 'node_modules'));
    await symlink(join(rootFolder, 'sdk'), join(folder, 'node_modules', 'postrider'));
    await copyFile(join(here, 'quickstart.ts'), join(folder, 'quickstart.mjs'));
    const { stdout, stderr } = await runFile('quickstart.mjs', folder);
    expect(stdout).toMatch(answer);
    expect(stderr).toBe('');
  } finally {
    await rm(folder, { recursive: true, maxRetries: 20 });
  }
});

test('the quickstart leaves two threads of two messages on the server', async () => {
  const client = new Postrider({ apiKey: server.apiKey, baseURL: server.baseURL });
  const before = new Set((await client.threads.list()).threads.map(({ id }) => id));
  await runFile('quickstart.ts', here);
  const { threads } = await client.threads.list();
  const made = threads.filter(({ id }) => !before.has(id));
  expect(made.map(({ subject, message_count }) => [subject, message_count])).toEqual([
    ['Lunch?', 2],
    ['Lunch?', 2],
  ]);
  const { messages } = await client.messages.list({ direction: 'outbound', limit: 2 });
  expect(messages.map(({ delivery_status }) => delivery_status)).toEqual(['delivered', 'delivered']);
});

test.each(['README.md', 'docs/quickstart.md'])('%s shows the quickstart as it runs', async (page) => {
  const code = await readFile(join(here, 'quickstart.ts'), 'utf8');
  expect(code.trimEnd().split('\n')).toHaveLength(12);
  const blocks = (await readFile(join(rootFolder, page), 'utf8')).matchAll(/^```\w+\n([\s\S]*?)^```$/gm);
  expect([...blocks].map(([, block]) => block)).toContain(code);
});
