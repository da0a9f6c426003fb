import { expect, it } from 'vitest';
import type { Cap } from './controls.ts';
import { hasToBeCounted, nearMargin, noteCounts } from './known-counts.ts';

const capOf = (kind: Cap['kind'], subject: string, most: number): Cap => ({
  kind,
  policy: { level: 'inbox', subject, lines: {} },
  subject,
  person: null,
  most,
  sent: 0,
});
const note = (deps: { memory: Map<unknown, unknown> }, cap: Cap, sent: number, ageMs: number) =>
  noteCounts(deps, [{ ...cap, sent }], performance.now() - ageMs);

it('bounds what was counted lately by all that can be sent meanwhile', () => {
  const deps = { memory: new Map() };
  const [near, far] = [1_000, 5_000].map((room) => capOf('hour', 'inb_1', nearMargin + room)) as [Cap, Cap];
  for (const cap of [near, far]) note(deps, cap, 5, 100);
  expect([near, far].map((cap) => hasToBeCounted(deps, cap))).toEqual([true, false]);
  expect(hasToBeCounted(deps, capOf('day', 'inb_1', 1_000_000))).toBe(true);
  expect(hasToBeCounted(deps, capOf('hour', 'inb_2', 1_000_000))).toBe(true);
});

it('lets one send count for all once half of the time is over, and all at its end', () => {
  const deps = { memory: new Map() };
  const cap = capOf('day', 'inb_1', 1_000_000);
  note(deps, cap, 5, 9_000);
  expect(hasToBeCounted(deps, cap)).toBe(false);
  note(deps, cap, 5, 11_000);
  expect([hasToBeCounted(deps, cap), hasToBeCounted(deps, cap)]).toEqual([true, false]);
  note(deps, cap, 5, 20_001);
  expect([hasToBeCounted(deps, cap), hasToBeCounted(deps, cap)]).toEqual([true, true]);
});

it('knows recipients with many mails; others, and threads, are counted for each send', () => {
  const deps = { memory: new Map() };
  const [recipient, thread] = (['recipient', 'thread'] as const).map((kind) =>
    capOf(kind, 'inb_1>x', 1_000_000),
  ) as [Cap, Cap];
  note(deps, recipient, 999, 0);
  expect(hasToBeCounted(deps, recipient)).toBe(true);
  for (const cap of [recipient, thread]) note(deps, cap, 1_000, 0);
  expect([recipient, thread].map((cap) => hasToBeCounted(deps, cap))).toEqual([false, true]);
});

it('knows nothing of a cap that was lower when it was counted, because then not all was', () => {
  const deps = { memory: new Map() };
  note(deps, capOf('day', 'inb_1', 100_000), 5, 0);
  expect(hasToBeCounted(deps, capOf('day', 'inb_1', 200_000))).toBe(true);
});
