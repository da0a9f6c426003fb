import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createReadLimiter, type ReadLimiter, readLimits } from '../admission/message-slots.ts';
import { readSlots } from '../admission/server-limits.ts';

const server = createServer();
const answers: ServerResponse[] = [];
server.on('request', (_req, res) => answers.push(res));
const { takenWithinMs } = readLimits;
afterEach(async () => {
  Object.assign(readLimits, { takenWithinMs });
  server.closeAllConnections();
  server.close();
  await pause(0);
});

/** More than the system takes for a client that reads nothing. */
const body = Buffer.alloc(32 * readLimits.largeBytes);

/** An answer of a real server, and what its client does: takes it, or nothing. */
const openAnswer = async () => {
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  request.on('error', () => {});
  const response = once(request, 'response').catch(() => []);
  await once(server, 'request');
  const take = async () => (await response)[0]?.resume();
  return { answer: answers.pop()!, take };
};

/** Begins a read that ends at once, and says whether it had its turn. */
const read = async (turns: ReadLimiter, workspaceId: string) => {
  let isRead = false;
  const done = turns.run(workspaceId, async () => {
    isRead = true;
  });
  await setImmediate();
  return { isRead, done };
};

test('a workspace whose answer was large has one at a time, until its client has taken it', async () => {
  readLimits.takenWithinMs = 300_000;
  const turns = createReadLimiter();
  const { answer, take } = await openAnswer();
  turns.untilTaken('wsp_large', answer);
  answer.setHeader('content-length', body.length);
  answer.end(body);
  const second = await read(turns, 'wsp_large');
  expect([second.isRead, (await read(turns, 'wsp_other')).isRead]).toEqual([false, true]);
  await take();
  await second.done;
});

test('a workspace has one at a time until many answers were small, and then as many as others', async () => {
  readLimits.takenWithinMs = 300_000;
  const turns = createReadLimiter();
  const begin = () => read(turns, 'wsp_small');
  const atOnceMax = readSlots.ofOwner;
  for (let seen = 0; seen < readLimits.smallAnswersPerRead * (atOnceMax - 1); seen++) {
    const { answer, take } = await openAnswer();
    turns.untilTaken('wsp_small', answer);
    const second = await begin();
    if (seen < readLimits.smallAnswersPerRead) expect(second.isRead).toBe(false);
    answer.setHeader('content-length', 1);
    answer.end('x');
    await take();
    await second.done;
  }
  const slow = Promise.withResolvers<void>();
  const open = Array.from({ length: atOnceMax - 1 }, () => turns.run('wsp_small', () => slow.promise));
  expect((await begin()).isRead).toBe(true);
  slow.resolve();
  await Promise.all(open);
});

test('an answer that its client takes slowly holds up the others of its workspace for a moment only', async () => {
  const turns = createReadLimiter();
  const { answer } = await openAnswer();
  turns.untilTaken('wsp_slow', answer);
  answer.setHeader('content-length', body.length);
  answer.end(body);
  const before = performance.now();
  await turns.run('wsp_slow', async () => {});
  expect(performance.now() - before).toBeGreaterThan(readLimits.takenWithinMs / 2);
});
