import { expect, test } from 'vitest';
import { timeLeft } from './approval-state.tsx';

const now = Date.parse('2026-11-28T12:00:00.000Z');
const after = (hours: number) => new Date(now + hours * 3_600_000).toISOString();

test('says how long a message still waits, in whole days, hours or minutes', () => {
  expect([72, 48, 47.9, 6, 1.99, 0.5, 0.001].map((hours) => timeLeft(after(hours), now).words)).toEqual([
    '3 days left',
    '2 days left',
    '47 h left',
    '6 h left',
    '1 h left',
    '30 min left',
    '1 min left',
  ]);
});

test('is urgent below 6 hours, and over at the end', () => {
  expect([6, 5.99, 0.1].map((hours) => timeLeft(after(hours), now).isUrgent)).toEqual([false, true, true]);
  expect(timeLeft(after(-1), now)).toEqual({ words: 'No time left', isUrgent: true });
});
