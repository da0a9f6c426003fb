import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinTestServer, type TestServer } from '../../test/harness/test-server.ts';
import type { Context } from '../context.ts';
import { createKey, revokeKey } from './manage-keys.ts';
import { waitForChange } from './wait-for-change.ts';

const waitersCount = 60;
const pauseMeanMs = 100;
let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

const contextFor = (apiKeyId: string): Context => ({
  ...server.server.deps,
  workspaceId: server.id,
  plan: 'business',
  isTest: false,
  apiKeyId,
  requestId: null,
});

/** Waiters that look for a thing that is there once the test says so, and how often they looked. */
const startWaiters = async (ctx: Context) => {
  const state = { looks: 0, there: false };
  const look = async () => {
    state.looks += 1;
    return { result: 'found', found: state.there };
  };
  const never = new AbortController().signal;
  const answers = Array.from({ length: waitersCount }, () => waitForChange(ctx, 60, never, look));
  await pause(1);
  expect([state.looks, ctx.waitingRequests.get(ctx.workspaceId)]).toEqual([waitersCount, waitersCount]);
  return { state, answers };
};

test('many commits that are for nobody who waits make each waiter look a few times only, and the last one is seen', async () => {
  const ctx = contextFor(server.keyId);
  const { state, answers } = await startWaiters(ctx);
  const start = performance.now();
  for (let commit = 0; commit < 100; commit++) {
    ctx.wakeups.wake(ctx.workspaceId);
    await pause(2);
  }
  state.there = true;
  ctx.wakeups.wake(ctx.workspaceId);
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['found']));
  const roundsMax = 4 + (performance.now() - start) / pauseMeanMs;
  expect(state.looks).toBeLessThanOrEqual(waitersCount * roundsMax);
});

test('a lone commit is looked at once by each waiter', async () => {
  const ctx = contextFor(server.keyId);
  const { state, answers } = await startWaiters(ctx);
  state.there = true;
  ctx.wakeups.wake(ctx.workspaceId);
  await Promise.all(answers);
  expect(state.looks).toBe(2 * waitersCount);
});

test('waiters of one key ask a few times together whether it is good, and all end once it is revoked', async () => {
  const { deps } = server.server;
  const { id } = await createKey(deps, server.name, 'short-lived');
  let checks = 0;
  const counting = {
    ...contextFor(id),
    get db() {
      checks += 1;
      return deps.db;
    },
  };
  const { answers } = await startWaiters(counting);
  const settled = Promise.allSettled(answers);
  counting.wakeups.wake(server.id);
  await revokeKey(deps, id);
  const ends = await settled;
  expect(ends.map((end) => end.status === 'rejected' && end.reason.code)).toEqual(
    Array(waitersCount).fill('invalid_token'),
  );
  expect(checks).toBeGreaterThan(0);
  expect(checks).toBeLessThan(waitersCount);
});
