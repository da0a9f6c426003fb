import { describe, expect, it, vi } from 'vitest';
import { ServerClock } from './server-clock.ts';

const date = 'Fri, 20 Nov 2026 09:30:00 GMT';
const at = (clock: ServerClock, ms: number) => clock.at(ms)?.toISOString() ?? null;

function stopAt(ms: number): void {
  vi.spyOn(performance, 'now').mockReturnValue(ms);
}

describe('the clock of the server', () => {
  it('is unknown before the first answer', () => {
    const clock = new ServerClock();
    clock.observeNow(null);
    clock.observe('not a time');
    expect(clock.at(0)).toBeNull();
  });

  it('runs on from what an answer said, and back to before it', () => {
    stopAt(1_000);
    const clock = new ServerClock();
    clock.observeNow(date);
    expect(at(clock, 1_000)).toBe('2026-11-20T09:30:00.000Z');
    expect(at(clock, 3_500)).toBe('2026-11-20T09:30:02.500Z');
    expect(at(clock, 900)).toBe('2026-11-20T09:29:59.900Z');
  });

  it('keeps the sharpest bound: a later statement counts only when it says more', () => {
    stopAt(1_000);
    const clock = new ServerClock();
    clock.observeNow(date);
    clock.observe('2026-11-20T09:30:00.700Z');
    expect(at(clock, 1_000)).toBe('2026-11-20T09:30:00.700Z');
    clock.observe('2026-11-19T00:00:00.000Z');
    clock.observeNow(date);
    expect(at(clock, 1_000)).toBe('2026-11-20T09:30:00.700Z');
  });

  it('is later than anything that was read before, by a millisecond at least', () => {
    stopAt(1_000);
    const clock = new ServerClock();
    clock.observe('2026-11-20T09:30:00.700Z');
    expect(at(clock, 1_000.02)).toBe('2026-11-20T09:30:00.701Z');
  });

  it('starts again when the clock of the server was set back', () => {
    stopAt(1_000);
    const clock = new ServerClock();
    clock.observeNow('Fri, 20 Nov 2026 10:30:00 GMT');
    clock.observeNow(date);
    expect(at(clock, 1_000)).toBe('2026-11-20T09:30:00.000Z');
  });
});
