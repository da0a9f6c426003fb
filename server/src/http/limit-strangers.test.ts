import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, expect, it } from 'vitest';
import { strangerBytes } from '../lib/admission/server-limits.ts';
import { isApiError } from '../lib/api-error.ts';
import { limitStrangers } from './callers.ts';

const usual = structuredClone(strangerBytes);
const closers: (() => void)[] = [];
afterEach(() => {
  Object.assign(strangerBytes, structuredClone(usual));
  for (const close of closers.splice(0)) close();
});

/** Starts a server that sends 1,000 bytes to whoever asks, and knows the people of one cookie. */
async function serve() {
  const app = express();
  app.set('trust proxy', 'loopback');
  app.use(limitStrangers(async ({ headers }) => headers.cookie === 'known'));
  app.get('/', (_req, res) => void res.send(Buffer.alloc(1_000)));
  app.use(((error, _req, res, _next) => {
    res.status(isApiError(error, 'rate_limited') ? 429 : 500).end();
  }) as express.ErrorRequestHandler);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async (client: string, cookie = '') => {
    const answer = await fetch(url, { headers: { 'x-forwarded-for': client, cookie } });
    await answer.arrayBuffer();
    return answer.status;
  };
}

it('a client gets no more once it was sent its bytes, and others do', async () => {
  strangerBytes.client = { perMinute: 1, burst: 2_500 };
  const ask = await serve();
  const statuses = [];
  for (let i = 0; i < 5; i++) statuses.push(await ask('198.51.100.1'));
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  expect(await ask('198.51.100.2')).toBe(200);
});

it('all strangers together have a limit, which does not hold for people who are signed in', async () => {
  strangerBytes.all = { perMinute: 1, burst: 2_500 };
  const ask = await serve();
  const statuses = [];
  for (let i = 0; i < 4; i++) statuses.push(await ask(`198.51.100.${i}`));
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect(await ask('198.51.100.9', 'known')).toBe(200);
  expect(await ask('198.51.100.9', 'another')).toBe(429);
});
