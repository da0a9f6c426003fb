import { type Plan, plans } from '@postrider/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { MailTarget } from '../delivery/ingest-report.ts';
import type { Deps } from '../deps.ts';
import { createMailPace } from './collect-mail.ts';
import { mailPaceLimits } from './limits.ts';

const megabyte = 1_048_576;
const freeBytesPerSecond = plans.free.requests_per_second * mailPaceLimits.bytesPerRequest;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const target = (workspaceId: string, plan: Plan = 'free') => ({ workspaceId, plan }) as MailTarget;

const paceOf = (rateLimits = true) =>
  createMailPace({ config: { rateLimits, plans } } as unknown as Pick<Deps, 'config'>);

type Pace = ReturnType<typeof paceOf>;

/** How long these pieces of a mail take that come as fast as they may. */
const msForPieces = async (pace: Pace, targets: MailTarget[], pieces: Iterable<Buffer>) => {
  const pass = pace(targets);
  const startedAt = performance.now();
  for (const piece of pieces) await pass(piece);
  return performance.now() - startedAt;
};

const piece = Buffer.alloc(65_536, 'x');

/** How long a mail of so many bytes takes. */
const msFor = (pace: Pace, targets: MailTarget[], bytes: number) => {
  const pieces = Array.from({ length: Math.ceil(bytes / piece.length) }, (_, index) =>
    piece.subarray(0, bytes - index * piece.length),
  );
  return msForPieces(pace, targets, pieces);
};

/** Several mails on their way at once, and how long each took. */
const together = async (mails: Promise<number>[]) => {
  const all = Promise.all(mails);
  await vi.advanceTimersByTimeAsync(120_000);
  return all;
};

test('mail within a fifth of a second of its workspace does not wait, nor does small mail after it', async () => {
  const pace = paceOf();
  const [much] = await together([msFor(pace, [target('a')], freeBytesPerSecond / 5)]);
  const small = Array.from({ length: 1_000 }, () => msFor(pace, [target('a')], 60_000));
  expect([much, ...(await together(small))]).toEqual(Array(1_001).fill(0));
});

test('beyond that it comes at the rate of the plan', async () => {
  const took = async (plan: Plan) => {
    const [ms = 0] = await together([msFor(paceOf(), [target('a', plan)], 20 * megabyte)]);
    return Math.round(ms / 1_000);
  };
  expect([await took('free'), await took('pro'), await took('scale')]).toEqual([16, 6, 1]);
});

test('mail that began first ends first, and workspaces do not wait for each other', async () => {
  const pace = paceOf();
  const [first = 0, second = 0, other = 0] = await together([
    msFor(pace, [target('a')], 10 * megabyte),
    msFor(pace, [target('a')], 10 * megabyte),
    msFor(pace, [target('b')], 2 * megabyte),
  ]);
  expect([Math.round(first / 1_000), Math.round(second / 1_000), Math.round(other / 1_000)]).toEqual([
    8, 16, 1,
  ]);
});

test('mail for several workspaces counts for each of them, and waits for the slowest', async () => {
  const pace = paceOf();
  const both = [target('a', 'business'), target('b'), target('b')];
  const [shared = 0] = await together([msFor(pace, both, 10 * megabyte)]);
  expect(Math.round(shared / 1_000)).toBe(8);
});

test('no mail waits longer than its client does', async () => {
  const pace = paceOf();
  const mails = Array.from({ length: 20 }, () => msFor(pace, [target('a')], 25 * megabyte));
  for (const ms of await together(mails)) expect(ms).toBeLessThan(mailPaceLimits.waitMsMax + 100);
});

test('a server without rate limits takes mail as it comes', async () => {
  expect(await together([msFor(paceOf(false), [target('a')], 100 * megabyte)])).toEqual([0]);
});

test('a part of a mail counts as 8 KB, while parts can become files; a usual mail of a few parts does not wait', async () => {
  const mailOf = (parts: number) => [
    Buffer.from('--b\r\nContent-Type: text/plain\r\n\r\nx\r\n'.repeat(parts)),
  ];
  const took = async (mails: number, parts: number) => {
    const pace = paceOf();
    const all = Array.from({ length: mails }, () => msForPieces(pace, [target('a')], mailOf(parts)));
    return Math.round(Math.max(...(await together(all))) / 1_000);
  };
  expect([await took(100, 5), await took(22, 100), await took(22, 900)]).toEqual([0, 12, 12]);
});
