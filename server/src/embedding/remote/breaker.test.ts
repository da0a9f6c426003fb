import { expect, test } from 'vitest';
import { createBreaker } from './breaker.ts';

const createTimed = () => {
  const time = { now: 0 };
  return { time, breaker: createBreaker({ failuresMax: 5, restMs: 30_000, now: () => time.now }) };
};

test('failures in a row open a breaker, and a success between them does not count', () => {
  const { breaker } = createTimed();
  for (let count = 0; count < 4; count += 1) breaker.failed();
  breaker.succeeded();
  for (let count = 0; count < 4; count += 1) breaker.failed();
  expect(breaker.mayTry()).toBe(true);
  breaker.failed();
  expect(breaker.mayTry()).toBe(false);
});

test('after its rest an open breaker lets one try through, and a failure of that is another rest', () => {
  const { breaker, time } = createTimed();
  for (let count = 0; count < 5; count += 1) breaker.failed();
  time.now = 29_999;
  expect(breaker.mayTry()).toBe(false);
  time.now = 30_000;
  expect([breaker.mayTry(), breaker.mayTry()]).toEqual([true, false]);
  breaker.failed();
  time.now = 59_999;
  expect(breaker.mayTry()).toBe(false);
  time.now = 60_000;
  expect(breaker.mayTry()).toBe(true);
  breaker.succeeded();
  expect([breaker.mayTry(), breaker.mayTry()]).toEqual([true, true]);
});

test('a try that is given up leaves the next one to somebody else', () => {
  const { breaker, time } = createTimed();
  for (let count = 0; count < 5; count += 1) breaker.failed();
  time.now = 30_000;
  expect(breaker.mayTry()).toBe(true);
  breaker.gaveUp();
  expect(breaker.mayTry()).toBe(true);
});
