import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTokenBuckets } from './token-buckets.ts';

const take = (bucket: { take(key: string): number }, times: number, key = 'a'): number[] =>
  Array.from({ length: times }, () => bucket.take(key));

test('a burst is free, and then one act comes with each part of a minute', () => {
  let now = 0;
  const buckets = createTokenBuckets({ perMinute: 60, burst: 3 }, () => now);
  expect(take(buckets, 4)).toEqual([0, 0, 0, 1_000]);
  now = 400;
  expect(take(buckets, 1)).toEqual([600]);
  now = 1_000;
  expect(take(buckets, 2)).toEqual([0, 1_000]);
});

test('a long pause gives one burst and no more', () => {
  let now = 0;
  const buckets = createTokenBuckets({ perMinute: 60, burst: 2 }, () => now);
  take(buckets, 2);
  now = 3_600_000;
  expect(take(buckets, 3)).toEqual([0, 0, 1_000]);
});

test('keys do not share', () => {
  const buckets = createTokenBuckets({ perMinute: 1, burst: 1 }, () => 0);
  expect([buckets.take('a'), buckets.take('b'), buckets.take('a')]).toEqual([0, 0, 60_000]);
});

test('the key that was not heard of for longest is forgotten first', () => {
  const buckets = createTokenBuckets({ perMinute: 1, burst: 1 }, () => 0, 2);
  for (const key of ['a', 'b', 'a', 'c']) buckets.take(key);
  expect([buckets.take('a') > 0, buckets.take('b')]).toEqual([true, 0]);
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
        const buckets = createTokenBuckets({ perMinute, burst }, () => now);
        let taken = 0;
        for (const wait of waits) {
          now += wait;
          if (buckets.take('a') === 0) taken += 1;
        }
        expect(taken).toBeLessThanOrEqual(burst + (now * perMinute) / 60_000 + 1e-6);
      },
    ),
  );
});
