import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import type { ByteRange } from './files.ts';
import { type ServedFile, serveFile } from './serve-file.ts';

const countConnections = (server: Server | undefined) =>
  new Promise<number>((resolve) => server?.getConnections((_error, count) => resolve(count)));
const data = Buffer.from('0123456789');

function openData(range?: ByteRange) {
  const part = range === undefined ? data : data.subarray(range.start, range.end + 1);
  return Promise.resolve({ stream: Readable.from([part], { objectMode: false }), sizeBytes: data.length });
}

describe('serveFile', () => {
  const servers: Server[] = [];
  const results: Promise<boolean>[] = [];

  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    results.splice(0);
  });

  async function serve(file: Partial<ServedFile> = {}): Promise<string> {
    const server = createServer((incoming, response) => {
      response.setHeader('x-request-id', 'req_1');
      const result = serveFile(response, {
        open: openData,
        sizeBytes: data.length,
        filename: 'ten.txt',
        contentType: 'text/plain',
        method: incoming.method ?? '',
        rangeHeader: incoming.headers.range,
        ifRangeHeader: incoming.headers['if-range']?.toString(),
        ...file,
      });
      results.push(result);
      result.then(
        (isServed) => isServed || response.writeHead(404).end(),
        () => response.headersSent || response.writeHead(500).end(),
      );
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  it('answers a whole file as a download that no browser runs, sniffs or caches', async () => {
    const response = await fetch(await serve());
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('0123456789');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-length': '10',
      'content-disposition': 'attachment; filename=ten.txt',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(response.headers.has('etag')).toBe(false);
    expect(await results[0]).toBe(true);
  });

  it.each([
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-1', '9', 'bytes 9-9/10'],
    ['bytes=0-99', '0123456789', 'bytes 0-9/10'],
  ])('answers %s with 206', async (range, body, contentRange) => {
    const response = await fetch(await serve(), { headers: { range } });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(contentRange);
    expect(response.headers.get('content-length')).toBe(String(body.length));
    expect(response.headers.get('content-disposition')).toContain('attachment');
    expect(await response.text()).toBe(body);
  });

  it.each(['bytes=0-1,3-4', 'bytes=4-2', 'lines=1-2', 'nonsense'])(
    'answers %s with the whole file',
    async (range) => {
      const response = await fetch(await serve(), { headers: { range } });
      expect(response.status).toBe(200);
      expect(response.headers.has('content-range')).toBe(false);
      expect(await response.text()).toBe('0123456789');
    },
  );

  it('answers 416 with the size for a range behind the end', async () => {
    const response = await fetch(await serve(), { headers: { range: 'bytes=10-' } });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */10');
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toEqual({
      error: 'range_not_satisfiable',
      message: expect.any(String),
      request_id: 'req_1',
    });
  });

  it('resumes by If-Range only what is still the same file', async () => {
    const url = await serve({ etag: '"att_1"' });
    const resume = async (ifRange: string) =>
      (await fetch(url, { headers: { range: 'bytes=5-', 'if-range': ifRange } })).status;
    expect(await resume('"att_1"')).toBe(206);
    expect(await resume('"att_2"')).toBe(200);
    expect(await resume('Fri, 20 Nov 2026 10:00:00 GMT')).toBe(200);
    expect((await fetch(url)).headers.get('etag')).toBe('"att_1"');
    const unnamed = await serve();
    expect((await fetch(unnamed, { headers: { range: 'bytes=5-', 'if-range': '"x"' } })).status).toBe(200);
  });

  it('answers HEAD with the headers of the whole file and closes it unread', async () => {
    const { stream } = await openData();
    const url = await serve({ open: () => Promise.resolve({ stream, sizeBytes: 10 }) });
    const response = await fetch(url, { method: 'HEAD', headers: { range: 'bytes=2-4' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('10');
    expect(await response.text()).toBe('');
    expect(stream.destroyed).toBe(true);
  });

  it('answers an empty file', async () => {
    const empty = { open: () => Promise.resolve({ stream: Readable.from([]), sizeBytes: 0 }), sizeBytes: 0 };
    const response = await fetch(await serve(empty));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('0');
    expect(await response.text()).toBe('');
  });

  it.each([
    [
      'Übersicht 中文.pdf',
      /^attachment; filename="[^"]*\.pdf"; filename\*=UTF-8''%C3%9Cbersicht%20%E4%B8%AD%E6%96%87\.pdf$/,
    ],
    ['a"b\\c.txt', /^attachment; filename="a\\"b_c\.txt"$/],
    ['../../etc/passwd', /^attachment; filename=__\.\._etc_passwd$/],
    ['x\r\nset-cookie: a=b', /^attachment; filename="x set-cookie: a=b"$/],
    ['', /^attachment; filename=attachment$/],
    ['.bashrc', /^attachment; filename=_bashrc$/],
    ['a;b, c%41.txt', /^attachment; filename=".*"(; filename\*=.*)?$/],
  ])('offers %j under a harmless name', async (filename, expected) => {
    const response = await fetch(await serve({ filename }));
    expect(response.headers.get('content-disposition')).toMatch(expected);
    expect(response.headers.has('set-cookie')).toBe(false);
  });

  it.each([
    ['application/PDF', 'application/pdf'],
    ['image/svg+xml', 'image/svg+xml'],
    ['', 'application/octet-stream'],
    ['text/html\r\nset-cookie: a=b', 'application/octet-stream'],
    ['text/html; charset=x', 'application/octet-stream'],
    ['text', 'application/octet-stream'],
    ['ü/ü', 'application/octet-stream'],
  ])('gives the type %j as %s', async (contentType, expected) => {
    expect((await fetch(await serve({ contentType }))).headers.get('content-type')).toBe(expected);
  });

  it('sends nothing and says so when there is no such file', async () => {
    const response = await fetch(await serve({ open: () => Promise.resolve(null) }));
    expect(response.status).toBe(404);
    expect(response.headers.has('content-disposition')).toBe(false);
    expect(await results[0]).toBe(false);
  });

  it('rejects before anything is sent when the file cannot be opened or has another size', async () => {
    const failing = await fetch(await serve({ open: () => Promise.reject(new Error('disk')) }));
    expect(failing.status).toBe(500);
    await expect(results[0]).rejects.toThrow('disk');
    const other = await fetch(await serve({ sizeBytes: 11 }));
    expect(other.status).toBe(500);
    await expect(results[1]).rejects.toThrow('11');
  });

  it.each([
    ['fails', () => failingAfter(Buffer.from('01234'))],
    ['ends early', () => Readable.from([Buffer.from('01234')], { objectMode: false })],
    ['is longer', () => Readable.from([Buffer.from('0123456789a')], { objectMode: false })],
  ])('cuts the connection when the file %s in the middle', async (_what, newStream) => {
    const url = await serve({ open: () => Promise.resolve({ stream: newStream(), sizeBytes: 10 }) });
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
    await expect(results[0]).rejects.toThrow();
  });

  it('closes the file when the client leaves', async () => {
    const stream = endless();
    const sizeBytes = 1_000_000_000;
    const url = await serve({ open: () => Promise.resolve({ stream, sizeBytes }), sizeBytes });
    const closed = new Promise((resolve) => stream.once('close', resolve));
    const client = request(url, (response) => response.once('data', () => client.destroy()));
    client.on('error', () => {}).end();
    await closed;
    expect(await results[0]).toBe(true);
  });

  it('closes the file when the client has left before it was open', async () => {
    const stream = endless();
    let open: (() => void) | undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    let isAsked = false;
    const url = await serve({
      open: () => {
        isAsked = true;
        return opened.then(() => ({ stream, sizeBytes: 1_000_000 }));
      },
      sizeBytes: 1_000_000,
    });
    const client = request(url);
    client.on('error', () => {}).end();
    await expect.poll(() => isAsked).toBe(true);
    client.destroy();
    await expect.poll(() => countConnections(servers.at(-1))).toBe(0);
    open?.();
    await new Promise((resolve) => stream.once('close', resolve));
    expect(await results[0]).toBe(true);
    expect(stream.readBytes).toBeLessThan(200_000);
  });

  it('reads no more of a file than a slow client takes', async () => {
    const stream = endless();
    const sizeBytes = 1_000_000_000;
    const url = new URL(await serve({ open: () => Promise.resolve({ stream, sizeBytes }), sizeBytes }));
    const socket = connect(Number(url.port), url.hostname);
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await expect.poll(() => stream.readBytes).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(stream.readBytes).toBeLessThan(50_000_000);
    socket.destroy();
    expect(await results[0]).toBe(true);
  });
});

function failingAfter(first: Buffer): Readable {
  return Readable.from(
    (async function* () {
      yield first;
      throw new Error('the disk failed');
    })(),
    { objectMode: false },
  );
}

function endless(): Readable & { readBytes: number } {
  const chunk = Buffer.alloc(65_536);
  const stream = Object.assign(
    new Readable({
      read() {
        stream.readBytes += chunk.length;
        this.push(chunk);
      },
    }),
    { readBytes: 0 },
  );
  return stream;
}
