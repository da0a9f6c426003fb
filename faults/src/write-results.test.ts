import { expect, test } from 'vitest';
import type { Result } from './run-fault.ts';
import { mergePage } from './write-results.ts';

const result = (change: Partial<Result>): Result => ({
  fault: 'kill-intake',
  about: 'a fault',
  at: '2026-11-25T12:00:00Z',
  database: 'postgres',
  times: 3,
  seed: 1,
  control: false,
  passed: true,
  figures: {},
  findings: [],
  error: null,
  tookSeconds: 5,
  machine: 'a machine',
  ...change,
});

test('a run takes the place of the row that tells of the same, and other rows stay', () => {
  const attack = { attack: 'nobody', 'probe p50': 2, 'probe p99': 7, lost: 0 };
  const before = mergePage('', [
    result({}),
    result({ fault: 'webhooks', control: true, passed: false }),
    result({ fault: 'noisy-neighbour', rows: [attack] }),
    result({ fault: 'real-mail', rows: [{ mail: 'our mail', SPF: 'pass', DKIM: 'fail', DMARC: 'pass' }] }),
  ]);
  expect(before).toContain(
    '| kill-intake | postgres | trial | 3 times | 2026-11-25 | 5 | 1 | passed, 0 invariants |',
  );
  expect(before).toContain(
    '| webhooks | postgres | control | 3 times | 2026-11-25 | 5 | 1 | **not caught** |',
  );
  expect(before).toContain('| nobody | postgres | 2 | 7 |');
  expect(before).toContain('| our mail | postgres | trial | pass | fail | pass |');
  expect(mergePage(before, [])).toBe(before);

  const after = mergePage(before, [result({ seed: 2, passed: false, error: 'Error: no | way\nat a line' })]);
  expect(after).toContain('| 5 | 2 | **not run to its end**: Error: no / way |');
  expect(after).not.toContain('| kill-intake | postgres | trial | 3 times | 2026-11-25 | 5 | 1 |');
  expect(after.split('\n')).toHaveLength(before.split('\n').length);
});
