import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { APIError, ConnectionError, Postrider, TimeoutError } from '../index.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(handle: RequestListener): Promise<Postrider> {
  const server = createServer(handle);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return new Postrider({ apiKey: 'pr_test_key', baseURL: `http://127.0.0.1:${port}/v1`, maxRetries: 1 });
}

const json = { 'content-type': 'application/json' };

describe('a real connection', () => {
  it('is tried again when it breaks in the middle of an answer', async () => {
    let requests = 0;
    const api = await listen((_request, response) => {
      requests += 1;
      response.writeHead(200, { ...json, 'content-length': '100' });
      if (requests === 1) response.write('{"id":', () => response.destroy());
      else response.end('{"id":"inb_1"}'.padEnd(100));
    });
    expect(await api.inboxes.get('inb_1')).toEqual({ id: 'inb_1' });
    expect(requests).toBe(2);
  });

  it('is given up when an answer begins and never ends', async () => {
    const api = await listen((_request, response) => {
      response.writeHead(200, json);
      response.write('{"id":');
    });
    await expect(api.inboxes.get('inb_1', { timeout: 200, maxRetries: 0 })).rejects.toThrow(TimeoutError);
  });

  it('is closed when the caller aborts while it is answered', async () => {
    let closed = 0;
    const controller = new AbortController();
    const api = await listen((_request, response) => {
      response.on('close', () => {
        closed += 1;
      });
      response.writeHead(200, json);
      response.write('{"messages":');
      setTimeout(() => controller.abort(), 100);
    });
    const call = api.messages.list({ wait_seconds: 30 }, { signal: controller.signal });
    await expect(call).rejects.toThrow('messages.list was aborted');
    await expect.poll(() => closed).toBe(1);
  });

  it('follows no redirect, and says where it leads', async () => {
    const seen: string[] = [];
    const api = await listen((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.writeHead(301, { location: 'https://mail.example.com/v1/inboxes' }).end();
    });
    const error = await api.inboxes.create({ local_part: 'ada' }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(APIError);
    expect(String(error)).toContain('redirects to https://mail.example.com/v1/inboxes');
    expect(seen).toEqual(['POST /v1/inboxes']);
  });

  it('that cannot be made says why, and nothing of the query', async () => {
    const api = new Postrider({ apiKey: 'pr_test_key', baseURL: 'http://127.0.0.1:1/v1', maxRetries: 0 });
    const error = await api.messages.list({ query: 'secret plans' }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(String(error)).toMatch(
      /GET http:\/\/127\.0\.0\.1:1\/v1\/messages: no response, because \w.*[^.]\.$/,
    );
    expect(String(error)).not.toContain('secret');
    expect((error as Error).cause).toBeInstanceOf(Error);
  });
});
