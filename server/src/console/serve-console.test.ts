import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type RequestOptions, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notFound } from '../lib/api-error.ts';
import { serveConsole } from './serve-console.ts';

const root = mkdtempSync(join(tmpdir(), 'console-pages-'));
const dist = join(root, 'dist');
const script = 'console.log("a page");\n'.repeat(100);
const page = '<!doctype html><title>Pages</title>';
const closers: (() => void)[] = [];
let built: number;
let unbuilt: number;

async function serve(folder: string): Promise<number> {
  const app = express();
  app.use('/console', serveConsole(folder));
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
  writeFileSync(join(root, 'secret.txt'), 'secret');
  writeFileSync(join(dist, 'index.html'), page);
  writeFileSync(join(dist, 'assets', 'main-B1x_2.js'), script);
  writeFileSync(join(dist, 'assets', 'main-B1x_2.js.gz'), gzipSync(script));
  writeFileSync(join(dist, 'assets', 'main-B1x_2.js.br'), brotliCompressSync(script));
  writeFileSync(join(dist, 'assets', 'icon-1.svg'), '<svg/>');
  built = await serve(dist);
  unbuilt = await serve(join(root, 'nothing'));
});

afterAll(() => {
  for (const close of closers) close();
  rmSync(root, { recursive: true, force: true });
});

/** Sends a path as it is, which `fetch` would normalise. */
function get(path: string, { port = built, ...options }: RequestOptions & { port?: number } = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      request({ host: '127.0.0.1', port, path, agent: false, ...options }, (res) => {
        const parts: Buffer[] = [];
        res.on('data', (part: Buffer) => parts.push(part));
        res.on('end', () =>
          resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(parts) }),
        );
      })
        .on('error', reject)
        .end();
    },
  );
}

describe('pages', () => {
  it.each([
    '/console',
    '/console/',
    '/console/keys',
    '/console/inboxes/inb_1/threads?query=a.b',
    '/console/a.js',
  ])('responds to %s with the page, which is never kept without asking', async (path) => {
    const { status, headers, body } = await get(path);
    expect(status).toBe(200);
    expect(String(body)).toBe(page);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
    });
  });

  it('lets scripts of this server run and no others, and no site put the pages into a frame', async () => {
    const policy = String((await get('/console')).headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  });

  it.each([
    '/console/api',
    '/console/api/nothing',
    '/console/API/nothing',
    '/console/mail/nothing',
    '/console/assets',
  ])('leaves %s to the routes that follow', async (path) => {
    expect((await get(path)).status).toBe(404);
  });

  it('takes no other method than GET and HEAD', async () => {
    expect((await get('/console/keys', { method: 'POST' })).status).toBe(404);
    const head = await get('/console/keys', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, headers: { 'content-length': String(page.length) } });
    expect(head.body).toHaveLength(0);
  });

  it('says what to do when nothing is built, and finds the pages once they are', async () => {
    const { status, headers, body } = await get('/console/keys', { port: unbuilt });
    expect(status).toBe(503);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(String(body)).toContain('npm start');
    expect((await get('/console/assets/main-B1x_2.js', { port: unbuilt })).status).toBe(404);
    mkdirSync(join(root, 'nothing'));
    writeFileSync(join(root, 'nothing', 'index.html'), page);
    expect((await get('/console/keys', { port: unbuilt })).status).toBe(200);
  });
});

describe('files', () => {
  const path = '/console/assets/main-B1x_2.js';
  const as = (encoding: string) => get(path, { headers: { 'accept-encoding': encoding } });

  it('come in the best encoding that the client takes', async () => {
    const brotli = await as('gzip, deflate, br');
    expect(brotli.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    expect(String(brotliDecompressSync(brotli.body))).toBe(script);
    const gzip = await as('gzip');
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(String(gunzipSync(gzip.body))).toBe(script);
    const refused = await as('br;q=0, gzip;q=0');
    expect(refused.headers['content-encoding']).toBeUndefined();
    expect(String(refused.body)).toBe(script);
    expect((await get(path)).headers.vary).toBe('Accept-Encoding');
  });

  it('come as they are where they are too small to be compressed', async () => {
    const icon = await get('/console/assets/icon-1.svg', { headers: { 'accept-encoding': 'br, gzip' } });
    expect(icon).toMatchObject({ status: 200, headers: { 'content-type': 'image/svg+xml' } });
    expect(icon.headers['content-encoding']).toBeUndefined();
    expect(String(icon.body)).toBe('<svg/>');
  });

  it('have their length and no body for HEAD', async () => {
    const head = await get(path, { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
    expect(head.headers['content-length']).toBe(String(brotliCompressSync(script).length));
    expect(head.body).toHaveLength(0);
  });

  it.each([
    '/console/assets/main-0000.js',
    '/console/assets/..',
    '/console/assets/../index.html',
    '/console/assets/..%2Findex.html',
    '/console/assets/..%2f..%2fsecret.txt',
    '/console/assets/%2e%2e%5cindex.html',
    '/console/assets/.hidden',
    '/console/assets/main-B1x_2.js%00.svg',
    '/console/assets/%E0%A4%A',
    '/console/assets/nested/main-B1x_2.js',
  ])('are only those of the folder, so that %s shows nothing', async (path) => {
    const { status, headers, body } = await get(path);
    expect(status === 404 || status === 400 || String(body) === page).toBe(true);
    expect(String(body)).not.toContain('secret');
    expect(headers['cache-control'] ?? '').not.toContain('immutable');
  });
});

describe('a file that a client has', () => {
  it.each(['/console/keys', '/console/assets/main-B1x_2.js'])('%s is not sent again', async (path) => {
    const first = await get(path);
    const etag = String(first.headers.etag);
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    const again = await get(path, { headers: { 'if-none-match': etag } });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect((await get(path, { headers: { 'if-none-match': '"another"' } })).status).toBe(200);
  });

  it('has another tag in each encoding', async () => {
    const tags = ['br', 'gzip', 'identity'].map(async (encoding) => {
      const { headers } = await get('/console/assets/main-B1x_2.js', {
        headers: { 'accept-encoding': encoding },
      });
      return headers.etag;
    });
    expect(new Set(await Promise.all(tags)).size).toBe(3);
  });

  it('is read once', async () => {
    const path = join(dist, 'assets', 'read-once-1.js');
    writeFileSync(path, 'one');
    const read = async () => String((await get('/console/assets/read-once-1.js')).body);
    expect(await read()).toBe('one');
    writeFileSync(path, 'two');
    expect(await read()).toBe('one');
  });
});
