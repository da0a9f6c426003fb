import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notFound } from '../lib/api-error.ts';
import { serveDocs } from './serve-docs.ts';

const root = mkdtempSync(join(tmpdir(), 'documentation-'));
const dist = join(root, 'dist');
const repository = fileURLToPath(new URL('../../../', import.meta.url));
const script = 'console.log("a page");\n'.repeat(100);
const closers: (() => void)[] = [];
let built: number;
let plain: number;
let none: number;

async function serve(folder: string, source: string | null): Promise<number> {
  const app = express();
  const docs = serveDocs(folder, source);
  app.use('/docs', docs);
  app.get('/llms.txt', docs);
  app.use(() => {
    throw notFound(null);
  });
  app.use(((error, _req, res, _next) => {
    res.status(error.status ?? 500).json({ error: error.code });
  }) as express.ErrorRequestHandler);
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  mkdirSync(join(dist, 'assets'), { recursive: true });
  mkdirSync(join(dist, 'guides'), { recursive: true });
  writeFileSync(join(root, 'secret.txt'), 'secret');
  writeFileSync(join(dist, 'index.html'), '<h1>Contents</h1>');
  writeFileSync(join(dist, 'index.md'), '# Contents');
  writeFileSync(join(dist, '404.html'), '<h1>Nothing here</h1>');
  writeFileSync(join(dist, 'llms.txt'), '# For models');
  writeFileSync(join(dist, 'guides', 'sending.html'), '<h1>Send</h1>');
  writeFileSync(join(dist, 'guides', 'sending.md'), '# Send');
  writeFileSync(join(dist, 'assets', '@index.B1x_2.js'), script);
  writeFileSync(join(dist, 'assets', 'app.B1x_2.js'), script);
  writeFileSync(join(dist, 'assets', 'app.B1x_2.js.br'), brotliCompressSync(script));
  built = await serve(dist, repository);
  plain = await serve(join(root, 'nothing'), repository);
  none = await serve(join(root, 'nothing'), null);
});

afterAll(() => {
  for (const close of closers) close();
  rmSync(root, { recursive: true, force: true });
});

/** Sends a path as it is, which `fetch` would normalise. */
function get(path: string, headers: Record<string, string> = {}, port = built) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      request({ host: '127.0.0.1', port, path, agent: false, headers }, (res) => {
        const parts: Buffer[] = [];
        res.on('data', (part: Buffer) => parts.push(part));
        res.on('end', () =>
          resolve({ status: res.statusCode ?? 0, headers: res.headers, body: String(Buffer.concat(parts)) }),
        );
      })
        .on('error', reject)
        .end();
    },
  );
}

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe.each([
  ['built pages', () => built, '<h1>Send</h1>', '# Send'],
  ['plain pages', () => plain, '<h1 id="send-mail">Send mail</h1>', '# Send mail'],
])('%s', (_, port, html, markdown) => {
  it.each(['/docs/guides/sending', '/docs/guides/sending/', '/docs/guides/sending.html'])(
    'respond to %s with HTML that no other site may frame and that no browser keeps without asking',
    async (path) => {
      const { status, headers, body } = await get(path, browser, port());
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(body).toContain(html);
      expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'x-frame-options': 'DENY' });
      expect(headers).not.toHaveProperty('set-cookie');
      expect(String(headers.vary)).not.toMatch(/cookie/i);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/(script-src|style-src)[^-;]*unsafe/);
    },
  );

  it.each([
    ['/docs/guides/sending.md', {}],
    ['/docs/guides/sending', { accept: 'text/markdown' }],
    ['/docs/guides/sending', { accept: 'text/markdown, text/html;q=0.5' }],
  ])('respond to %s %j with Markdown', async (path, headers: Record<string, string>) => {
    const answer = await get(path, headers, port());
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(answer.headers.vary).toContain('Accept');
    expect(answer.body.startsWith(markdown)).toBe(true);
  });

  it.each(['/llms.txt', '/docs/llms.txt'])('respond to %s with the text for models', async (path) => {
    const { status, headers, body } = await get(path, {}, port());
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(body).toMatch(/^# /);
  });

  it.each(['/docs', '/docs/'])('have the table of contents at %s', async (path) => {
    expect(await get(path, browser, port())).toMatchObject({ status: 200 });
    expect((await get(path, { accept: 'text/markdown' }, port())).body).toMatch(/^# /);
  });

  it.each([
    '/docs/nothing',
    '/docs/../secret.txt',
    '/docs/..%2f..%2fsecret.txt',
    '/docs/%2e%2e/secret.txt',
    '/docs/guides',
    '/docs/.hidden',
    '/docs/constructor',
    '/docs/__proto__',
    '/docs//etc/passwd',
    '/docs/%E0%A4%A',
  ])('have nothing at %s', async (path) => {
    const { status, body } = await get(path, browser, port());
    expect(status === 404 || status === 400).toBe(true);
    expect(body).not.toContain('secret');
  });

  it('are not sent again to a client that has them', async () => {
    const first = await get('/docs/guides/sending', browser, port());
    const etag = String(first.headers.etag);
    const again = await get('/docs/guides/sending', { ...browser, 'if-none-match': etag }, port());
    expect([again.status, again.body]).toEqual([304, '']);
  });
});

it('a hashed file is kept by browsers, and comes in the best encoding', async () => {
  const { headers } = await get('/docs/assets/app.B1x_2.js', { 'accept-encoding': 'gzip, br' });
  expect(headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect((await get('/docs/assets/@index.B1x_2.js')).body).toBe(script);
});

it('a browser that asks for no page is told so on a page, and a program in JSON', async () => {
  expect(await get('/docs/nothing', browser)).toMatchObject({ status: 404, body: '<h1>Nothing here</h1>' });
  const { body } = await get('/docs/nothing', { accept: 'application/json' });
  expect(JSON.parse(body)).toEqual({ error: 'not_found' });
});

it('images come from the source code until the pages are built', async () => {
  const { status, headers } = await get('/docs/images/console-keys.png', {}, plain);
  expect([status, headers['content-type']]).toEqual([200, 'image/png']);
});

it('a server without pages and without source code has none', async () => {
  expect((await get('/docs', browser, none)).status).toBe(404);
});
