import { describe, expect, it } from 'vitest';
import { type Goal, judge, notMeasured, ratio } from './goal.ts';

const goal: Goal = { id: 'P0', what: 'x', unit: '×', better: 'higher', floor: 0.5, target: 0.8 };
const ratios = (...values: number[]) => values.map((value) => ratio(value * 100, 100));

describe('judge', () => {
  it('takes the median of the rounds', () => {
    expect(judge(goal, ratios(0.9, 0.1, 0.6))).toMatchObject({
      median: 0.6,
      min: 0.1,
      max: 0.9,
      verdict: 'pass',
    });
  });

  it('tells the target from the floor and what is below both', () => {
    expect(judge(goal, ratios(0.8)).verdict).toBe('target');
    expect(judge(goal, ratios(0.5)).verdict).toBe('pass');
    expect(judge(goal, ratios(0.49)).verdict).toBe('below');
  });

  it('knows figures that had better be low', () => {
    const memory: Goal = { ...goal, better: 'lower', floor: 700, target: 450 };
    expect(judge(memory, [{ value: 450 }]).verdict).toBe('target');
    expect(judge(memory, [{ value: 701 }]).verdict).toBe('below');
  });

  it('asks for no more than the floor where there is no target', () => {
    expect(judge({ ...goal, target: null }, ratios(0.5)).verdict).toBe('target');
  });

  it('says nothing when the baseline strayed more than 40 % from its median', () => {
    const restless = [ratio(90, 100), ratio(90, 100), ratio(90, 59)];
    expect(judge(goal, restless)).toMatchObject({ verdict: 'not judged' });
    expect(judge(goal, restless).baselineSpread).toBeCloseTo(0.41);
  });
});

it('keeps why a goal was not measured', () => {
  expect(notMeasured(goal, 'there is no Postfix here')).toMatchObject({
    verdict: 'not measured',
    median: null,
    note: 'there is no Postfix here',
  });
});
