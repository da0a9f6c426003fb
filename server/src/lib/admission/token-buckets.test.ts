import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTokenBuckets, type Rate, type TokenBuckets } from './rate.ts';

const take = (buckets: TokenBuckets, rate: Rate, times: number, key = 'a'): number[] =>
  Array.from({ length: times }, () => buckets.take(key, rate).waitMs);

test('a burst is free, and then one act comes with each part of a minute', () => {
  let now = 0;
  const buckets = createTokenBuckets(() => now);
  const rate = { perMinute: 60, burst: 3 };
  expect(take(buckets, rate, 4)).toEqual([0, 0, 0, 1_000]);
  now = 400;
  expect(take(buckets, rate, 1)).toEqual([600]);
  now = 1_000;
  expect(take(buckets, rate, 2)).toEqual([0, 1_000]);
});

test('a long pause gives one burst and no more', () => {
  let now = 0;
  const buckets = createTokenBuckets(() => now);
  const rate = { perMinute: 60, burst: 2 };
  take(buckets, rate, 2);
  now = 3_600_000;
  expect(take(buckets, rate, 3)).toEqual([0, 0, 1_000]);
});

test('keys do not share', () => {
  const buckets = createTokenBuckets(() => 0);
  const rate = { perMinute: 1, burst: 1 };
  expect(['a', 'b', 'a'].map((key) => buckets.take(key, rate).waitMs)).toEqual([0, 0, 60_000]);
});

test('a key that was not heard of for long is forgotten, where there are many', () => {
  const buckets = createTokenBuckets(() => 0, 4);
  const rate = { perMinute: 1, burst: 1 };
  for (const key of ['a', 'b', 'a', 'c', 'a']) buckets.take(key, rate);
  expect([buckets.take('a', rate).waitMs > 0, buckets.take('b', rate).waitMs]).toEqual([true, 0]);
});

test('a look counts nothing, and tells what the next act would hear', () => {
  let now = 0;
  const buckets = createTokenBuckets(() => now);
  const rate = { perMinute: 60, burst: 2 };
  expect([buckets.look('a', rate), buckets.look('a', rate)]).toEqual(Array(2).fill({ tokens: 2, waitMs: 0 }));
  take(buckets, rate, 2);
  now = 250;
  expect(buckets.look('a', rate)).toEqual({ tokens: 0.25, waitMs: 750 });
  expect(take(buckets, rate, 1)).toEqual([750]);
});

test('another rate is in force at once, and gives nothing back of what was used', () => {
  let now = 0;
  const buckets = createTokenBuckets(() => now);
  const small = { perMinute: 60, burst: 5 };
  const large = { perMinute: 600, burst: 50 };
  take(buckets, small, 5);
  for (const rate of [large, small, large]) expect(buckets.take('a', rate).waitMs).toBeGreaterThan(0);
  now = 1_000;
  expect(buckets.look('a', large).tokens).toBe(10);
  now = 60_000;
  expect([buckets.look('a', large).tokens, buckets.look('a', small).tokens]).toEqual([50, 5]);
  take(buckets, large, 10);
  expect(buckets.look('a', small).tokens).toBe(5);
});

test('a rate of nothing lets nobody act, for ever', () => {
  const buckets = createTokenBuckets(() => 0);
  expect(buckets.take('a', { perMinute: 0, burst: 0 }).waitMs).toBe(Number.POSITIVE_INFINITY);
});

test('in any stretch of time nobody gets more than the burst and the rate', () => {
  const pauses = fc.array(fc.nat({ max: 5_000 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(
      pauses,
      fc.integer({ min: 1, max: 600 }),
      fc.integer({ min: 1, max: 20 }),
      (waits, perMinute, burst) => {
        let now = 0;
        const buckets = createTokenBuckets(() => now);
        let taken = 0;
        for (const wait of waits) {
          now += wait;
          if (buckets.take('a', { perMinute, burst }).waitMs === 0) taken += 1;
        }
        expect(taken).toBeLessThanOrEqual(burst + (now * perMinute) / 60_000 + 1e-6);
      },
    ),
  );
});

test('a million keys take a bounded part of the memory', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heapUsed = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heapUsed();
  const buckets = createTokenBuckets(() => 0);
  for (let i = 0; i < 1_000_000; i += 1) buckets.take(`client ${i}`, { perMinute: 60, burst: 1 });
  expect(heapUsed() - before).toBeLessThan(30_000_000);
  expect(buckets.take('client 999999', { perMinute: 60, burst: 1 }).waitMs).toBe(1_000);
});

test('acts that are spent at once may be more than are left, and are paid back by waiting', () => {
  let now = 0;
  const buckets = createTokenBuckets(() => now);
  const rate = { perMinute: 60, burst: 5 };
  buckets.spend('a', rate, 8);
  expect(buckets.look('a', rate)).toEqual({ tokens: -3, waitMs: 4_000 });
  expect(buckets.look('b', rate)).toEqual({ tokens: 5, waitMs: 0 });
  now = 4_000;
  expect(buckets.take('a', rate)).toEqual({ tokens: 0, waitMs: 0 });
});
