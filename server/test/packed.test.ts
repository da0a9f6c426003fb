import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const serverFolder = fileURLToPath(new URL('..', import.meta.url));
let folder: string;
let unpacked: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-packed-'));
  unpacked = join(folder, 'package');
  execFileSync('pnpm', ['build'], { cwd: serverFolder, stdio: 'pipe' });
  execFileSync('pnpm', ['pack', '--out', join(folder, 'server.tgz')], { cwd: serverFolder, stdio: 'pipe' });
  execFileSync('tar', ['xzf', 'server.tgz'], { cwd: folder });
  // What the package depends on stands in for an installation of it.
  await symlink(join(serverFolder, 'node_modules'), join(unpacked, 'node_modules'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the packed server', () => {
  test('asks for published packages only', async () => {
    const manifest = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8'));
    const versions = Object.entries<string>(manifest.dependencies);
    expect(versions.filter(([, version]) => !/^[\d^~]/.test(version))).toEqual([]);
    expect(versions.map(([name]) => name)).not.toContain('@postrider/contract');
  });

  test('starts from its command, takes a request and ends on SIGTERM', async () => {
    const { bin } = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8'));
    const server = spawn(process.execPath, [join(unpacked, bin['postrider-server']), 'start'], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        POSTRIDER_HTTP_PORT: '0',
        POSTRIDER_SMTP_PORT: '0',
        POSTRIDER_DATA_DIR: join(folder, 'data'),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const url = await readyUrl(server.stdout);
      expect((await fetch(`${url}/livez`)).status).toBe(200);
      expect((await fetch(`${url}/v1/inboxes`)).status).toBe(401);
    } finally {
      server.kill('SIGTERM');
    }
    expect(await once(server, 'exit')).toEqual([0, null]);
  });
});

/** Where the server says that it listens, in the `ready` line of its log. */
const readyUrl = async (output: NodeJS.ReadableStream): Promise<string> => {
  for await (const line of createInterface({ input: output })) {
    if (!line.startsWith('{')) continue;
    const entry = JSON.parse(line) as { url?: string };
    if (entry.url) return entry.url;
  }
  throw new Error('The server ended before it was ready.');
};
