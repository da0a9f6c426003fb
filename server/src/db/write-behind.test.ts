import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createWriteBehind } from './write-behind.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const log = pino({ level: 'silent' });

test('rows are written in batches, in their order, and those that could not be written are tried again', async () => {
  const batches: number[][] = [];
  let isAway = true;
  const rows = createWriteBehind<number>({
    log,
    what: 'numbers',
    flushAfterMs: 100,
    batchRows: 2,
    write: async (batch) => {
      if (isAway) throw new Error('away');
      batches.push(batch);
    },
  });
  for (const row of [1, 2, 3]) rows.add(row);
  await vi.advanceTimersByTimeAsync(100);
  expect(batches).toEqual([]);
  isAway = false;
  rows.add(4);
  await vi.advanceTimersByTimeAsync(100);
  expect(batches).toEqual([
    [1, 2],
    [3, 4],
  ]);
  rows.add(5);
  await rows.close();
  expect(batches.at(-1)).toEqual([5]);
});

test('rows that cannot be written at the end are counted in the log', async () => {
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const rows = createWriteBehind<number>({
    log: pino(sink),
    what: 'numbers',
    flushAfterMs: 100,
    batchRows: 2,
    write: () => Promise.reject(new Error('away')),
  });
  for (const row of [1, 2, 3]) rows.add(row);
  await rows.close();
  expect(JSON.parse(lines.at(-1) ?? '{}')).toMatchObject({
    dropped: 3,
    msg: 'numbers were dropped, because the server ended before they could be written',
  });
});
