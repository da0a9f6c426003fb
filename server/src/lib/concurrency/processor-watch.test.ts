import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Overdue, watchProcessor } from './work-thread.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Watches work whose processor time is read by `read`, and returns the reasons for which it was stopped. */
function watch(read: () => Promise<number | null>, limitMs = 2_000): Overdue[] {
  const stopped: Overdue[] = [];
  watchProcessor(read, { fromMs: 1_000, limitMs }, (reason) => stopped.push(reason));
  return stopped;
}

test('work is stopped once it has used up its processor time, however long that takes by the clock', async () => {
  let usedMs = 1_000;
  const stopped = watch(async () => usedMs);
  for (let minute = 0; minute < 60; minute += 1) {
    usedMs += 30;
    await vi.advanceTimersByTimeAsync(60_000);
  }
  expect(stopped).toEqual([]);
  usedMs += 300;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(stopped).toEqual(['processor_time']);
});

test.each([
  ['never answers', () => new Promise<never>(() => {})],
  ['is not known', async () => null],
  ['is refused', async () => Promise.reject(new Error('not running'))],
  ['does not grow', async () => 1_001],
])('work whose processor time %s hangs, but not before two minutes', async (_, read) => {
  const stopped = watch(read);
  await vi.advanceTimersByTimeAsync(119_000);
  expect(stopped).toEqual([]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(stopped).toEqual(['hung']);
});

test('a machine that slept for an hour has missed one look', async () => {
  const stopped = watch(() => new Promise<never>(() => {}));
  await vi.advanceTimersByTimeAsync(60_000);
  vi.setSystemTime(Date.now() + 3_600_000);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(stopped).toEqual([]);
});

test('work that has ended is not stopped, even if its processor time is read late', async () => {
  const stopped: Overdue[] = [];
  const reading = Promise.withResolvers<number>();
  const end = watchProcessor(
    () => reading.promise,
    { fromMs: 0, limitMs: 10 },
    (reason) => stopped.push(reason),
  );
  await vi.advanceTimersByTimeAsync(1_000);
  end();
  reading.resolve(60_000);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(stopped).toEqual([]);
});
