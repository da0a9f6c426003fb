import { expect, test } from 'vitest';
import type { Context } from '../context.ts';
import { createTimeScale } from '../lib/clock.ts';
import { findCaps, nearCaps } from './caps.ts';
import { type Controls, withStrictest } from './controls.ts';

const ctx = { timeScale: createTimeScale(1) } as Context;
const addresses = ['ada@remote.example', 'bob@remote.example'];

const controls = (most: number, sent: number): Controls => {
  const policies = [
    { level: 'inbox', subject: 'inb_1', lines: { per_day: most, per_hour: 1_000_000 } },
  ] as const;
  const stored = withStrictest({
    version: '1.1',
    paused: null,
    key: null,
    policies: [...policies],
    disclosure: 'none',
  });
  const caps = findCaps(stored.policies, addresses).map((cap) => ({ ...cap, sent }));
  return { ...stored, caps, threadId: null, known: null };
};
const near = (most: number, sent: number, hasWaited = false) =>
  nearCaps(ctx, controls(most, sent), addresses, new Date(), hasWaited).map(({ window }) => window);

test('a send takes turns for the caps that it comes near to', () => {
  expect(near(20_000, 0)).toEqual([]);
  expect(near(20_000, 14_998)).toEqual([]);
  expect(near(20_000, 14_999)).toEqual(['day']);
});

test('a send that has waited takes turns for all caps, because others may have come near meanwhile', () => {
  expect(near(20_000, 0, true)).toEqual(['hour', 'day']);
});
