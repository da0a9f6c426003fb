import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import express from 'express';
import { afterEach, expect, test } from 'vitest';
import { fitAnswer } from '../lib/fit-answer.ts';
import { answerInParts } from './answer-in-parts.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const serve = (body: unknown): Promise<string> => {
  const app = express();
  answerInParts(app);
  return listen(app.get('/', (_req, res) => void res.status(201).json(body)));
};

const listen = async (app: express.Express): Promise<string> => {
  const server = createServer(app).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

const measured = (count: number) =>
  fitAnswer(
    Array.from({ length: count }, (_, id) => ({ id, text: `${'水'.repeat(20_000)}"\u0001` })),
    (row) => row,
  );

test.each([
  ['a small one', () => ({ id: 'msg_1', text: 'short', nothing: undefined })],
  ['an empty list', () => ({ messages: [], next_cursor: null })],
  ['a list that was measured', async () => ({ messages: await measured(60), next_cursor: 'next' })],
  ['a text of CR alone', () => ({ id: 1, body_text: '\r'.repeat(1_000_000), body_html: null })],
  [
    'emoji on both sides of every cut',
    () => ({ nothing: undefined, body_text: '😀'.repeat(200_000), body_html: `x${'😀'.repeat(200_000)}` }),
  ],
  ['halves of emoji', () => ({ body_text: '\ud83d'.repeat(200_000) })],
  ['a long text alone', () => 'é'.repeat(300_000)],
])('an answer is the same in parts: %s', async (_, make) => {
  const body = await make();
  const answer = await fetch(await serve(body));
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(answer.status).toBe(201);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('content-length')).toBe(String(bytes.length));
  expect(JSON.parse(bytes.toString())).toEqual(JSON.parse(JSON.stringify(body)));
});

test('HEAD has the headers of GET alone', async () => {
  const body = { body_text: 'x'.repeat(1_000_000) };
  const answer = await fetch(await serve(body), { method: 'HEAD' });
  expect(answer.headers.get('content-length')).toBe(String(JSON.stringify(body).length));
  expect(await answer.text()).toBe('');
});

test('others are served while a large answer is made', async () => {
  let turns = 0;
  const app = express();
  answerInParts(app);
  app.get('/', async (_req, res) => {
    res.json({ body_text: '\u0001'.repeat(5_000_000) });
    for (; !res.headersSent; turns++) await setImmediate();
  });
  await (await fetch(await listen(app))).arrayBuffer();
  expect(turns).toBeGreaterThan(3);
});

test('a client that goes away in between ends the answer', async () => {
  const url = await serve({ body_text: 'x'.repeat(20_000_000) });
  const request = get(url);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.destroy();
  await once(answer, 'close');
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(201);
});
