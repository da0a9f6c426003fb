import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { FilingPace, filingRestMs } from './filing-pace.ts';

test('filing rests for four times as long as it worked, half a second at most, until a mail has waited for three seconds', () => {
  expect(filingRestMs({ busyMs: 50, oldestMs: 3_000 })).toBe(200);
  expect(filingRestMs({ busyMs: 150, oldestMs: 0 })).toBe(500);
  expect(filingRestMs({ busyMs: 50, oldestMs: 3_001 })).toBe(0);
});

test('filing rests only while mail comes, and resumes soon after the last mail', async () => {
  const pace = new FilingPace();
  let isQuiet = true;
  pace.noteWork();
  await sleep(10);
  pace.endRound(
    0,
    () => isQuiet,
    () => {
      throw new Error('Filing had not rested.');
    },
  );
  expect(pace.resting).toBe(false);

  isQuiet = false;
  pace.noteWork();
  // It would rest for four times as long, and the quiet begins earlier.
  await sleep(50);
  const { promise, resolve } = Promise.withResolvers<void>();
  pace.endRound(0, () => isQuiet, resolve);
  expect(pace.resting).toBe(true);
  isQuiet = true;
  await promise;
  expect(pace.resting).toBe(false);
});
