import { expect, it } from 'vitest';
import { runInTurns } from './turns.ts';

it('lets one work go on at a time, each first every other time, and waits after each turn', async () => {
  const log: string[] = [];
  const work = (name: string, rounds: number) => async (untilTurn: () => Promise<void>) => {
    log.push(`${name} starts`);
    for (let round = 1; round <= rounds; round++) {
      await untilTurn();
      log.push(`${name} ${round}`);
      await Promise.resolve();
    }
    return `${name} is over`;
  };
  const settle = async () => void log.push('-');
  expect(await runInTurns([work('a', 2), work('b', 2)], settle)).toEqual(['a is over', 'b is over']);
  expect(log.join(' ')).toBe('a starts - b starts - b 1 - a 1 - a 2 - b 2 -');
});

it('fails with the first that fails', async () => {
  const failing = async () => Promise.reject(new Error('no server'));
  const waiting = async (untilTurn: () => Promise<void>) => untilTurn();
  await expect(runInTurns([waiting, failing], async () => {})).rejects.toThrow('no server');
});
