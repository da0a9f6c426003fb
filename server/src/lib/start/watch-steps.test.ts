import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchSteps } from '../../boot/start.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a start that takes long says every ten seconds what it is doing, and nothing after its end', () => {
  const lines: string[] = [];
  const steps = watchSteps((line) => lines.push(line));
  steps.begin('opening the database');
  vi.advanceTimersByTime(9_000);
  expect(lines).toEqual([]);
  vi.advanceTimersByTime(11_000);
  steps.begin('bringing the schema up to date');
  vi.advanceTimersByTime(10_000);
  steps.end();
  vi.advanceTimersByTime(60_000);
  expect(lines).toEqual([
    'still opening the database, after 10 s',
    'still opening the database, after 20 s',
    'still bringing the schema up to date, after 30 s',
  ]);
});
