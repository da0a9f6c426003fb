import { expect, it } from 'vitest';
import { countsAtMost, nearMargin, noteCounts } from './known-counts.ts';

const policyOf = (subject: string, hour: number | null, day: number | null) => ({
  level: 'inbox' as const,
  subject,
  lines: {},
  hour,
  day,
  thread_id: null,
  thread: null,
  recipients: null,
});

it('bounds what was counted lately by all that can be sent meanwhile', () => {
  const deps = { memory: new Map() };
  noteCounts(deps, [policyOf('inb_1', 5, 50)], performance.now() - 100);
  const { inb_1, inb_2 } = countsAtMost(deps, ['inb_1', 'inb_2']);
  expect(inb_1?.hour).toBeGreaterThanOrEqual(nearMargin + 1_005);
  expect(inb_1?.day).toBe((inb_1?.hour ?? 0) + 45);
  expect(inb_2).toBeUndefined();
});

it('forgets what was counted more than a second ago', () => {
  const deps = { memory: new Map() };
  noteCounts(deps, [policyOf('inb_1', 5, 50)], performance.now() - 1_001);
  expect(countsAtMost(deps, ['inb_1'])).toEqual({});
});

it('knows nothing of a cap that was not counted', () => {
  const deps = { memory: new Map() };
  const at = performance.now();
  noteCounts(deps, [policyOf('inb_1', null, 7), policyOf('inb_2', null, null)], at);
  const known = countsAtMost(deps, ['inb_1', 'inb_2']);
  expect(Object.keys(known)).toEqual(['inb_1']);
  expect(known.inb_1?.hour).toBe(Number.POSITIVE_INFINITY);
});

it('keeps a count that was far below its caps until it is counted again', () => {
  const deps = { memory: new Map() };
  noteCounts(deps, [policyOf('inb_1', 5, 50)], performance.now());
  noteCounts(deps, [policyOf('inb_1', null, null)], performance.now());
  expect(countsAtMost(deps, ['inb_1']).inb_1?.day).toBeGreaterThanOrEqual(nearMargin + 50);
});
