import { limits, type Plan, plans } from '@postrider/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Deps } from '../deps.ts';
import { createMailPace, mailPaceLimits } from './mail-pace.ts';
import type { MailTarget } from './mail-target.ts';

const megabyte = 1_048_576;
const freeBytesPerSecond = plans.free.requests_per_second * limits.bytesPerRequest;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const target = (workspaceId: string, plan: Plan = 'free') => ({ workspaceId, plan }) as MailTarget;

const paceOf = (rateLimits = true) =>
  createMailPace({ config: { rateLimits, plans } } as unknown as Pick<Deps, 'config'>);

/** How long a mail takes that comes in pieces of 64 KiB as fast as it may. */
const msFor = async (pace: ReturnType<typeof paceOf>, targets: MailTarget[], bytes: number) => {
  const pass = pace(targets);
  const startedAt = performance.now();
  for (let read = 0; read < bytes; read += 65_536) await pass(Math.min(65_536, bytes - read));
  return performance.now() - startedAt;
};

/** Several mails on their way at once, and how long each took. */
const together = async (mails: Promise<number>[]) => {
  const all = Promise.all(mails);
  await vi.advanceTimersByTimeAsync(120_000);
  return all;
};

test('mail within one second of its workspace does not wait, nor does small mail after it', async () => {
  const pace = paceOf();
  const [much] = await together([msFor(pace, [target('a')], freeBytesPerSecond)]);
  const small = Array.from({ length: 1_000 }, () => msFor(pace, [target('a')], 60_000));
  expect([much, ...(await together(small))]).toEqual(Array(1_001).fill(0));
});

test('beyond that it comes at the rate of the plan', async () => {
  const took = async (plan: Plan) => {
    const [ms = 0] = await together([msFor(paceOf(), [target('a', plan)], 20 * megabyte)]);
    return Math.round(ms / 1_000);
  };
  expect([await took('free'), await took('pro'), await took('scale')]).toEqual([7, 2, 0]);
});

test('mail that began first ends first, and workspaces do not wait for each other', async () => {
  const pace = paceOf();
  const [first = 0, second = 0, other = 0] = await together([
    msFor(pace, [target('a')], 10 * megabyte),
    msFor(pace, [target('a')], 10 * megabyte),
    msFor(pace, [target('b')], 2 * megabyte),
  ]);
  expect([Math.round(first / 1_000), Math.round(second / 1_000), other]).toEqual([3, 7, 0]);
});

test('mail for several workspaces counts in each, and goes on when all of them let it', async () => {
  const pace = paceOf();
  const both = [target('a', 'business'), target('b'), target('b')];
  const [shared = 0] = await together([msFor(pace, both, 10 * megabyte)]);
  expect(Math.round(shared / 1_000)).toBe(3);
});

test('no mail waits longer than its client does', async () => {
  const pace = paceOf();
  const mails = Array.from({ length: 20 }, () => msFor(pace, [target('a')], 25 * megabyte));
  for (const ms of await together(mails)) expect(ms).toBeLessThan(mailPaceLimits.waitMsMax + 100);
});

test('a server without rate limits takes mail as it comes', async () => {
  expect(await together([msFor(paceOf(false), [target('a')], 100 * megabyte)])).toEqual([0]);
});
