import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns } from './take-turns.ts';

test('so many work at a time and no more, in the order in which they came, also after a failure', async () => {
  const turns = createTurns(2);
  const begun: number[] = [];
  let working = 0;
  let most = 0;
  const work = (number: number) =>
    turns(async () => {
      begun.push(number);
      working += 1;
      most = Math.max(most, working);
      await pause(2);
      working -= 1;
      if (number % 3 === 0) throw new Error(`${number} failed`);
      return number;
    });
  const results = await Promise.allSettled(Array.from({ length: 12 }, (_, number) => work(number)));
  expect(results.map((result) => result.status === 'fulfilled')).toEqual(
    Array.from({ length: 12 }, (_, number) => number % 3 !== 0),
  );
  expect(begun).toEqual(Array.from({ length: 12 }, (_, number) => number));
  expect(most).toBe(2);
  expect(await work(1)).toBe(1);
});
