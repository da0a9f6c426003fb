import { expect, it } from 'vitest';
import { compareOutcomes } from './compare.ts';
import { judge, notMeasured } from './goal.ts';

const rate = { id: 'P1', what: 'rate', unit: '/s', better: 'higher', floor: null, target: null } as const;
const wait = { ...rate, id: 'P9', unit: 'ms', better: 'lower' } as const;

function compare(goal: typeof rate | typeof wait, before: number[], now: number[]) {
  const outcome = (values: number[]) =>
    judge(
      goal,
      values.map((value) => ({ value })),
    );
  return compareOutcomes([outcome(before)], [outcome(now)])[0]!;
}

it('takes the median of the ratios of the rounds, and counts those that are at least as good', () => {
  expect(compare(rate, [100, 200, 100], [110, 180, 100])).toMatchObject({
    before: 100,
    now: 110,
    ratio: 1,
    rounds: 3,
    roundsAtLeast: 2,
    verdict: 'too few rounds',
  });
});

it('turns the ratio where less is better', () => {
  expect(compare(wait, [10, 10, 10], [5, 8, 20])).toMatchObject({ ratio: 1.25, roundsAtLeast: 2 });
});

it('takes a figure that has sunk to nothing for better', () => {
  expect(compare(wait, [2, 3, 1], [0, 0, 0])).toMatchObject({ ratio: Infinity, roundsAtLeast: 3 });
});

it('says worse only below 0.95, and only if fewer than two of seven rounds were as good', () => {
  const before = Array.from({ length: 7 }, () => 100);
  const verdict = (now: number[]) => compare(rate, before, now).verdict;
  expect(verdict([90, 90, 90, 90, 90, 90, 120])).toBe('worse');
  expect(verdict([90, 90, 90, 90, 90, 100, 120])).toBe('not worse');
  expect(verdict([96, 96, 96, 96, 96, 96, 96])).toBe('not worse');
});

it('leaves out what one of them was not measured for', () => {
  const measured = judge(rate, [{ value: 1 }]);
  expect(compareOutcomes([measured], [notMeasured(rate, 'too short')])).toEqual([]);
  expect(compareOutcomes([], [measured])).toEqual([]);
});
