import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { askConsole, fillPath, queryText } from './ask-console.ts';
import { ConsoleError, describeProblem, NoAnswerError } from './problem.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllGlobals();
  for (const close of closers.splice(0)) close();
});

/** Starts a server, and has relative addresses lead to it as they do on a page. */
async function serve(answer: (req: IncomingMessage, res: ServerResponse) => void): Promise<void> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const send = globalThis.fetch;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => send(`http://127.0.0.1:${port}${path}`, init));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
}

it('puts parameters into the path so that none of them can leave its segment', () => {
  expect(fillPath('/console/api/keys/:id/revoke', { id: '../me?x' })).toBe(
    '/console/api/keys/..%2Fme%3Fx/revoke',
  );
});

it('leaves fields without a value out of the query', () => {
  expect(queryText({ cursor: undefined, limit: 0, path: '', before: null })).toBe('?limit=0');
  expect(queryText({})).toBe('');
});

it('sends the headers of the console, and JSON only with a body', async () => {
  const seen: IncomingMessage[] = [];
  await serve((req, res) => {
    seen.push(req);
    res.setHeader('content-type', 'application/json').end('{"keys":[],"next_cursor":null}');
  });
  const answer = await askConsole('keys.list', { query: { cursor: 'c 1' } }, { workspace: 'wsp_1' });
  expect(answer).toEqual({ keys: [], next_cursor: null });
  expect(seen[0]?.url).toBe('/console/api/keys?cursor=c+1');
  expect(seen[0]?.headers).toMatchObject({ 'x-postrider-console': '1', 'x-postrider-workspace': 'wsp_1' });
  expect(seen[0]?.headers['content-type']).toBeUndefined();
});

it('throws what the server said, with the id of the request', async () => {
  await serve((_req, res) => {
    const body = { error: 'owner_only', message: 'Ask an owner of the workspace.', request_id: 'req_1' };
    res.writeHead(403, { 'x-request-id': 'req_1' }).end(JSON.stringify(body));
  });
  const error = await askConsole('keys.create', { body: { name: 'a' } }).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ConsoleError);
  expect(describeProblem(error)).toMatchObject({
    code: 'owner_only',
    status: 403,
    message: 'Ask an owner of the workspace.',
    requestId: 'req_1',
    mayRetry: false,
  });
});

it('says so when something else than the server answers', async () => {
  await serve((_req, res) => res.writeHead(502).end('<h1>Bad gateway</h1>'));
  const error = await askConsole('session.get', {}).catch((cause: unknown) => cause);
  expect(describeProblem(error)).toMatchObject({ code: 'unexpected_answer', status: 502, mayRetry: true });
});

it('tells a lost connection from an answer', async () => {
  await serve((req) => req.socket.destroy());
  const error = await askConsole('session.get', {}).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(NoAnswerError);
  expect(describeProblem(error)).toMatchObject({ code: 'connection', mayRetry: true });
});
