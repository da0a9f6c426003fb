import type { AddressInfo } from 'node:net';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import express, { type Response } from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { strangerSlots } from '../lib/admission/server-limits.ts';
import { takeTurns } from './guard-requests.ts';

/** Serves requests that are held until the test responds. The client is the one that a header names. */
async function serve() {
  const held: Response[] = [];
  const app = express().set('trust proxy', true);
  app.use((req, res, next) => {
    if (req.headers.cookie) res.locals.person = {};
    next();
  });
  app.use(takeTurns(), (_req, res) => void held.push(res));
  app.use(((error, _req, res, _next) =>
    res.status(error.status ?? 500).end()) as express.ErrorRequestHandler);
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close().closeAllConnections());
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const ask = (client: number, headers: Record<string, string> = {}) =>
    fetch(url, { headers: { 'x-forwarded-for': `203.0.113.${client}`, ...headers } });
  return { held, ask };
}

test('clients without a session take turns, and people with one do not wait', async () => {
  const { held, ask } = await serve();
  const asked = [ask(1), ask(1), ask(2), ask(3), ask(4)];
  await eventually('the first turns', async () => held.length === strangerSlots.slots);
  const person = ask(1, { cookie: 'session=x' });
  await eventually('the person', async () => held.length === strangerSlots.slots + 1);
  for (let done = 0; done < asked.length + 1; done++) {
    await eventually('the next turn', async () => held.length > 0);
    held.shift()?.end();
  }
  for (const response of [...asked, person]) expect((await response).status).toBe(200);
});

test('a client that asks for more than may wait is refused, and one that goes away gives its turn back', async () => {
  const { held, ask } = await serve();
  const first = ask(1);
  await eventually('the first', async () => held.length === 1);
  const more = Array.from({ length: strangerSlots.waitingOfOwner + 1 }, () => ask(1));
  const refused = await Promise.race(more.map(async (one, index) => ({ index, status: (await one).status })));
  expect(refused.status).toBe(429);
  held[0]?.destroy();
  await expect(first).rejects.toThrow();
  await eventually('the next turn', async () => held.length === 2);
  for (let done = 1; done <= strangerSlots.waitingOfOwner; done++) {
    await eventually('its turn', async () => held.length > done);
    held[done]?.end();
  }
  const statuses = await Promise.all(more.map(async (one) => (await one).status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(strangerSlots.waitingOfOwner);
});
