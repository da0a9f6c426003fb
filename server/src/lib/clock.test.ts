import { describe, expect, it } from 'vitest';
import { createTimeScale, systemClock } from './clock.ts';

describe('systemClock', () => {
  it('tells the time of the machine', () => {
    expect(Math.abs(systemClock.now().getTime() - Date.now())).toBeLessThan(1_000);
  });
});

describe('createTimeScale', () => {
  const at = new Date('2026-11-20T10:00:00.000Z');

  it('leaves every wait as it is at 1', () => {
    const scale = createTimeScale(1);
    expect(scale.scaleMs(60_000)).toBe(60_000);
    expect(scale.after(at, 60_000)).toEqual(new Date('2026-11-20T10:01:00.000Z'));
    expect(scale.before(at, 60_000)).toEqual(new Date('2026-11-20T09:59:00.000Z'));
  });

  it('makes waits shorter, but never nothing', () => {
    const scale = createTimeScale(1000);
    expect(scale.scaleMs(60_000)).toBe(60);
    expect(scale.scaleMs(1)).toBe(1);
    expect(scale.scaleMs(0)).toBe(0);
    expect(scale.after(at, 60_000)).toEqual(new Date('2026-11-20T10:00:00.060Z'));
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses %d', (factor) => {
    expect(() => createTimeScale(factor)).toThrow(RangeError);
  });
});
