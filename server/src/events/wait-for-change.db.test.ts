import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actorOf, type Context } from '../context.ts';
import { createKey, revokeKey } from '../keys/manage-keys.ts';
import { newId } from '../lib/ids.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { waitForChange, waitingRequests } from './wait-for-change.ts';

const waitersCount = 60;
const pauseMeanMs = 100;
let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

const contextFor = (keyId: string): Context => ({
  ...server.server.deps,
  workspaceId: server.id,
  plan: 'business',
  isTest: false,
  scope: wholeWorkspace,
  actor: actorOf(keyId),
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
  expect([state.looks, waitingRequests(ctx).countOf(ctx.workspaceId)]).toEqual([waitersCount, waitersCount]);
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

test('a look that cannot see everything yet is repeated without a wake-up', async () => {
  let looks = 0;
  const look = async () => {
    looks += 1;
    return { result: looks, found: looks === 4, againMs: 10 };
  };
  const never = new AbortController().signal;
  expect(await waitForChange(contextFor(server.keyId), 300, never, look)).toBe(4);
});

test('waiters of one key that a commit wakes ask together whether it is good, and all end once it is revoked', async () => {
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
  const { state, answers } = await startWaiters(counting);
  const settled = Promise.allSettled(answers);
  counting.wakeups.wake(server.id);
  await eventually('a second look of each', async () => state.looks >= 2 * waitersCount, { pauseMs: 5 });
  expect(checks).toBeGreaterThan(0);
  expect(checks).toBeLessThanOrEqual(2);
  await revokeKey(deps, id);
  const ends = await settled;
  expect(ends.map((end) => end.status === 'rejected' && end.reason.code)).toEqual(
    Array(waitersCount).fill('invalid_token'),
  );
});

test('waiters of a workspace look again one at a time with rests between, and those of others do not wait for them', async () => {
  const ctx = contextFor(server.keyId);
  const other = { ...ctx, workspaceId: newId('wsp') };
  const rounds: { workspaceId: string; from: number; to: number }[] = [];
  let isThere = false;
  const lookFor = ({ workspaceId }: Context) => {
    let isFirst = true;
    return async () => {
      if (isFirst) {
        isFirst = false;
        return { result: null, found: false };
      }
      const from = performance.now();
      await pause(10);
      rounds.push({ workspaceId, from, to: performance.now() });
      return { result: null, found: isThere };
    };
  };
  const never = new AbortController().signal;
  const wait = (one: Context) => waitForChange(one, 60, never, lookFor(one));
  const waits = [...Array.from({ length: 10 }, () => wait(ctx)), wait(other)];
  await pause(1);
  isThere = true;
  for (const { workspaceId } of [ctx, other]) ctx.wakeups.wake(workspaceId);
  await Promise.all(waits);
  const own = rounds.filter(({ workspaceId }) => workspaceId === ctx.workspaceId);
  expect(own).toHaveLength(10);
  const rests = own.slice(1).map(({ from }, index) => from - (own[index]?.to ?? 0));
  for (const restMs of rests) expect(restMs).toBeGreaterThan(5);
  expect(rounds.findIndex(({ workspaceId }) => workspaceId === other.workspaceId)).toBeLessThan(3);
});

test('waiters in line for their look are answered without it once the server stops', async () => {
  const stop = new AbortController();
  const ctx = { ...contextFor(server.keyId), stopping: stop.signal };
  let looks = 0;
  const look = async () => {
    looks += 1;
    if (looks > waitersCount) await pause(20);
    return { result: null, found: false };
  };
  const never = new AbortController().signal;
  const waits = Array.from({ length: waitersCount }, () => waitForChange(ctx, 60, never, look));
  await pause(1);
  ctx.wakeups.wake(ctx.workspaceId);
  await pause(60);
  stop.abort();
  await Promise.all(waits);
  expect(looks).toBeLessThan(waitersCount + 10);
});
