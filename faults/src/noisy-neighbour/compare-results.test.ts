import { expect, test } from 'vitest';
import { compareRows } from './compare-results.ts';

test('tells each attack of both runs, what changed with an arrow, and leaves out one that only one run had', () => {
  const before = [
    { attack: 'gzip-bodies', 'probe p99': 4_861, lost: 0 },
    { attack: 'together', 'probe p99': 9_000, lost: 0 },
  ];
  const [, , line, ...others] = compareRows(before, [{ attack: 'gzip-bodies', 'probe p99': 12, lost: 0 }]);
  expect(line).toMatch(/^\| gzip-bodies \| .*4861 → 12.* \| 0 \|/);
  expect(others).toEqual([]);
});
