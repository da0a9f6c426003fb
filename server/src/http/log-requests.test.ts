import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import type { Deps } from '../deps.ts';
import { systemClock } from '../lib/clock.ts';
import { createMetrics } from '../metrics.ts';
import { inOrder, logRequests } from './begin-request.ts';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Serves pages and files, of which one is missing, and returns the lines of the log about some requests, one after another. */
async function linesFor(level: string, paths: string[]): Promise<string[]> {
  const lines: string[] = [];
  const log = pino({ level }, { write: (line: string) => void lines.push(line) });
  const deps = { log, clock: systemClock, metrics: createMetrics() } as Deps;
  const app = express();
  app.use(inOrder(logRequests(deps, { add: () => {}, close: async () => {} })));
  app.get('/console/assets/missing.js', (_req, res) => void res.status(404).end());
  app.get('/{*path}', (_req, res) => void res.send('x'));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  for (const path of paths)
    await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)).text();
  return lines.map((line) => {
    const { level: number, status } = JSON.parse(line);
    return `${pino.levels.labels[number]} ${status}`;
  });
}

const files = ['/console/assets/main-B1x_2.js', '/docs/assets/app.B1x_2.js', '/CONSOLE/ASSETS/main.css?v=1'];

test('the files of pages are in the log at the level debug alone', async () => {
  expect(await linesFor('info', files)).toEqual([]);
  expect(await linesFor('debug', files)).toEqual(['debug 200', 'debug 200', 'debug 200']);
});

test('pages, other requests and files that failed are in it', async () => {
  const paths = ['/console/keys', '/docs/', '/v1/inboxes', '/console/assets/missing.js', '/v1/docs/assets/x'];
  const lines = await linesFor('info', paths);
  expect(lines).toEqual(['info 200', 'info 200', 'info 200', 'info 404', 'info 200']);
});
