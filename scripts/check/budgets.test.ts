import { expect, it } from 'vitest';
import { compareWithBudget, failForBudget, sayOverBudget } from './budgets.ts';

const spend = (processorSeconds: number | null) =>
  compareWithBudget({ processorSeconds }, { budget: 100 }, 0.5);

it('takes what is up to half more than the budget', () => {
  expect(spend(40)).toEqual({ units: 80, budget: 100, isOver: false });
  expect(spend(75)).toEqual({ units: 150, budget: 100, isOver: false });
  expect(spend(76)).toEqual({ units: 152, budget: 100, isOver: true });
});

it('judges nothing that it does not know', () => {
  expect(spend(null)).toEqual({ units: null, budget: 100, isOver: false });
});

it('fails a tier that is over its budget as one more failure', () => {
  const passed = {
    name: 'unit',
    ok: true,
    counts: { passed: 7, failed: 0, skipped: 0 },
    durationMs: 1,
    processorSeconds: 80,
    output: 'all of the tests',
    files: [],
    failures: [],
  };
  const sentence = sayOverBudget('unit', spend(80));
  expect(sentence).toContain('160 units');
  expect(failForBudget(passed, spend(80))).toMatchObject({
    ok: false,
    counts: { passed: 7, failed: 1 },
    output: `${sentence}\n`,
    failures: [sentence],
  });
  const failed = { ...passed, ok: false, counts: null, failures: ['a test'] };
  expect(failForBudget(failed, spend(80))).toMatchObject({
    counts: null,
    output: 'all of the tests',
    failures: ['a test', sentence],
  });
});
