import { execFileSync, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { makeDocx } from '@postrider/testkit/files/office-files.ts';
import { textPdf } from '@postrider/testkit/files/pdf-files.ts';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { frameHeader } from '../src/search/files/file-kind.ts';
import { readerPermissions } from '../src/search/files/file-reader.ts';

const serverFolder = fileURLToPath(new URL('..', import.meta.url));
let folder: string;
let unpacked: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-packed-'));
  unpacked = join(folder, 'package');
  execFileSync('pnpm', ['pack', '--out', join(folder, 'server.tgz')], { cwd: serverFolder, stdio: 'pipe' });
  execFileSync('tar', ['xzf', 'server.tgz'], { cwd: folder });
  // The dependencies of the package are linked instead of installed.
  await symlink(join(serverFolder, 'node_modules'), join(unpacked, 'node_modules'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the packed server', () => {
  test('asks for published packages only', async () => {
    const manifest = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8'));
    const versions = Object.entries<string>({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.peerDependencies,
    });
    expect(versions.filter(([, version]) => !/^(?:[\d^~]|>=\d)/.test(version))).toEqual([]);
    expect(versions.map(([name]) => name)).not.toContain('@postrider/contract');
    expect(manifest.optionalDependencies).toHaveProperty('@postrider/words-en');
    const peers = ['@opentelemetry/api', '@opentelemetry/sdk-node', '@postrider/embeddings'];
    expect(Object.keys(manifest.peerDependencies)).toEqual(peers);
    expect(manifest.peerDependenciesMeta).toEqual(
      Object.fromEntries(peers.map((name) => [name, { optional: true }])),
    );
  });

  test('says which Node it needs on one that is too old, and loads nothing', async () => {
    const { engines, bin } = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8'));
    expect(bin).toEqual({ 'postrider-server': 'bin/postrider-server.mjs' });
    const old = join(folder, 'old');
    await mkdir(join(old, 'bin'), { recursive: true });
    await cp(join(unpacked, 'bin'), join(old, 'bin'), { recursive: true });
    // A Node that is too old for the package: this one, with a range above it.
    const manifest = { name: '@postrider/server', engines: { node: '^22.19.0 || >=99.6.0' } };
    await writeFile(join(old, 'package.json'), JSON.stringify(manifest));
    const { status, stderr } = spawnSync(process.execPath, [join(old, bin['postrider-server'])], {
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toBe(
      `@postrider/server needs Node 22.19 or newer in 22, or 99.6 or newer. This is Node ${process.versions.node}.\n`,
    );
    expect(engines.node).toBe('^22.19.0 || >=24.6.0');
  });

  test('starts from its command, takes a request and ends on SIGTERM', async () => {
    const { url, stop, lines } = await start(unpacked);
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    expect((await fetch(`${url}/v1/inboxes`)).status).toBe(401);
    expect(await stop()).toEqual([0, null]);
    expect(lines.join('\n')).not.toContain('search by meaning is off');
  });

  test('has the pages of the console', async () => {
    const { url, stop } = await start(unpacked);
    const page = await fetch(`${url}/console/keys`);
    expect(page.status).toBe(200);
    const script = /src="(\/console\/assets\/[\w-]+\.js)"/.exec(await page.text())?.[1];
    const asset = await fetch(url + script, { headers: { 'accept-encoding': 'br' } });
    expect(asset.status).toBe(200);
    expect(asset.headers.get('content-encoding')).toBe('br');
    expect(await readdir(join(unpacked, 'dist', 'console'))).not.toContain('.vite');
    expect(await stop()).toEqual([0, null]);
  });

  test('has the documentation, built, with its search', async () => {
    const { url, stop } = await start(unpacked);
    const page = await (await fetch(`${url}/docs/guides/sending`)).text();
    const [, script = ''] = /<script type="module" src="(\/docs\/assets\/app\.[\w-]+\.js)"/.exec(page) ?? [];
    expect((await fetch(url + script)).status).toBe(200);
    const chunks = await readdir(join(unpacked, 'dist', 'docs', 'assets', 'chunks'));
    const index = chunks.find((name) => /^@localSearchIndex.*\.js$/.test(name));
    expect((await fetch(`${url}/docs/assets/chunks/${index}`)).status).toBe(200);
    expect(await (await fetch(`${url}/llms.txt`)).text()).toContain('](/docs/guides/sending.md)');
    expect(await stop()).toEqual([0, null]);
  });

  test('finds the mail that it takes in', async () => {
    const { url, stop, output } = await start(unpacked);
    const key = output().match(/\bpr_live_\w+/)?.[0] ?? '';
    const ask = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const answer = await fetch(`${url}/v1${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      return answer.json();
    };
    const inbox = await ask('POST', '/inboxes', { local_part: 'ada' });
    await ask('POST', '/messages', {
      inbox_id: inbox.id,
      to: [inbox.address],
      subject: 'A quotation',
      text: 'Two quaggas',
    });
    await expect
      .poll(async () => (await ask('GET', '/messages?query=quaggas')).messages.length)
      .toBeGreaterThan(0);
    expect(await stop()).toEqual([0, null]);
  });

  test('starts without its optional packages, and says so', async () => {
    const bare = join(folder, 'bare');
    await cp(unpacked, bare, { recursive: true, filter: (path) => !path.endsWith('node_modules') });
    await linkPackages(bare, (name) => name !== '@postrider');
    await mkdir(join(bare, 'node_modules/@postrider'));
    await symlink(
      join(serverFolder, 'node_modules/@postrider/mcp'),
      join(bare, 'node_modules/@postrider/mcp'),
    );
    const { stop, lines } = await start(bare);
    expect(await stop()).toEqual([0, null]);
    expect(lines.join('\n')).toMatch(/Cannot find package '@postrider\/words-en'.*search by meaning is off/);
    const model = { POSTRIDER_EMBEDDINGS: 'model2vec', POSTRIDER_EMBEDDINGS_PATH: await tinyTable() };
    const { status, stderr } = spawnSync(process.execPath, [join(bare, 'dist/main.js'), 'start'], {
      cwd: folder,
      env: await serverEnv(model),
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toContain('Run `npm install @postrider/embeddings` in the folder of the server');
  });

  test('starts with a model, if the package that runs models is there', async () => {
    const model = { POSTRIDER_EMBEDDINGS: 'model2vec', POSTRIDER_EMBEDDINGS_PATH: await tinyTable() };
    const { url, stop } = await start(unpacked, model);
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    expect(await stop()).toEqual([0, null]);
  });
});

describe('the packed reader of attachments', () => {
  test('is a program of its own that reads a file', async () => {
    const reader = fork(join(unpacked, 'dist/reader-process.js'), ['10000'], {
      execArgv: readerPermissions(join(unpacked, 'dist')),
      env: {},
      stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
    });
    onTestFinished(() => void reader.kill('SIGKILL'));
    expect((await once(reader, 'message'))[0]).toEqual({ ready: true });
    for (const [kind, bytes, text] of [
      ['pdf', textPdf('Invoice 419'), 'Invoice 419'],
      ['office', makeDocx('The plan'), 'The plan'],
      ['html', Buffer.from('<p>Hello'), 'Hello'],
    ] as const) {
      reader.stdin?.write(Buffer.concat([frameHeader({ kind, bytes }), bytes]));
      expect((await once(reader, 'message'))[0]).toEqual({ status: 'done', text });
    }
  });
});

/** Links the packages that the server is installed with, apart from those that are left out by name or scope. */
const linkPackages = async (target: string, isWanted: (name: string) => boolean) => {
  const from = join(serverFolder, 'node_modules');
  await mkdir(join(target, 'node_modules'));
  for (const name of (await readdir(from)).filter(isWanted))
    await symlink(join(from, name), join(target, 'node_modules', name));
};

/** Makes a folder with a model2vec model of two words and eight dimensions. */
const tinyTable = async (): Promise<string> => {
  const path = await mkdtemp(join(folder, 'table-'));
  const vocab = { pay: 0, invoice: 1 };
  await writeFile(join(path, 'tokenizer.json'), JSON.stringify({ model: { type: 'WordPiece', vocab } }));
  const rows = Buffer.from(Float32Array.from({ length: 16 }, (_, at) => at).buffer);
  const embeddings = { dtype: 'F32', shape: [2, 8], data_offsets: [0, rows.length] };
  const header = Buffer.from(JSON.stringify({ embeddings }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  await writeFile(join(path, 'model.safetensors'), Buffer.concat([length, header, rows]));
  return path;
};

const serverEnv = async (settings: Record<string, string>) => ({
  PATH: process.env.PATH,
  POSTRIDER_HTTP_PORT: '0',
  POSTRIDER_SMTP_PORT: '0',
  POSTRIDER_DATA_DIR: await mkdtemp(join(folder, 'data-')),
  ...settings,
});

/** Starts an unpacked server and resolves once it is ready, with the lines of its log so far. */
const start = async (from: string, settings: Record<string, string> = {}) => {
  const { bin } = JSON.parse(await readFile(join(from, 'package.json'), 'utf8'));
  const server = spawn(process.execPath, [join(from, bin['postrider-server']), 'start'], {
    cwd: folder,
    env: await serverEnv(settings),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = () => {
    server.kill('SIGTERM');
    return once(server, 'exit');
  };
  onTestFinished(() => void server.kill('SIGKILL'));
  const lines: string[] = [];
  return { url: await readyUrl(server.stdout, lines), stop, lines, output: () => lines.join('\n') };
};

/** Where the server says that it listens, in the `ready` line of its log. */
const readyUrl = async (output: NodeJS.ReadableStream, lines: string[]): Promise<string> => {
  for await (const line of createInterface({ input: output })) {
    lines.push(line);
    if (!line.startsWith('{')) continue;
    const entry = JSON.parse(line) as { url?: string };
    if (entry.url) return entry.url;
  }
  throw new Error('The server ended before it was ready.');
};
