import { beforeEach, expect, it, vi } from 'vitest';
import { printResult, printSpending, printTotals } from './print-results.ts';
import type { TierResult } from './run-tier.ts';
import type { Tier } from './tiers.ts';

let lines: string[] = [];
beforeEach(() => {
  lines = [];
  vi.spyOn(console, 'log').mockImplementation((text: string) => void lines.push(...text.split('\n')));
});

const tier: Tier = { name: 'unit', about: 'tests', budget: 100, commands: () => [] };
const passed: TierResult = {
  name: 'unit',
  ok: true,
  counts: { passed: 7, failed: 0, skipped: 0 },
  durationMs: 12_340,
  processorSeconds: 20,
  output: 'everything that vitest says',
  files: [{ path: 'a.test.ts', ms: 1_500 }],
  failures: [],
};

it('prints the times of a tier in one line, and its output only if it failed', () => {
  printResult(passed, tier, { units: 80, budget: 100, isOver: false });
  expect(lines.join('\n').replace(/ +/g, ' ')).toBe(
    'ok unit 12.3 s 20.0 s CPU 80 of 100 units 7 passed, 0 failed',
  );
  printResult({ ...passed, ok: false, processorSeconds: null }, tier, {
    units: null,
    budget: 100,
    isOver: false,
  });
  expect(lines).toContain('everything that vitest says');
  expect(lines.at(-1)).toMatch(/^FAIL unit .*\? s CPU +\? of 100 units/);
});

it('prints the slowest files beside the budgets, and warns of a tier that is over its own', () => {
  printSpending([passed], [tier], 0.25);
  expect(lines).toContain('    1.5 s  a.test.ts');
  expect(lines.at(-1)).toBe('Processor time in units of 0.250 s: unit 80 of 100');
  printSpending([passed], [tier], 0.1);
  expect(lines.at(-1)).toContain('Warning: unit took 200 units of processor time, and its budget is 100');
});

it('ends with the totals, after all that failed', () => {
  const check = { ...passed, name: 'types', ok: false, counts: null, failures: ['a type'] };
  printTotals([passed, check], 61_000);
  expect(lines.filter(Boolean)).toEqual([
    '2 tiers in 61.0 s',
    'types: a type',
    'Failed: types',
    'Again, alone: node scripts/check.ts --only types',
    '7 passed, 1 failed',
  ]);
});
