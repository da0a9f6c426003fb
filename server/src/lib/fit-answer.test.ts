import { setImmediate } from 'node:timers/promises';
import { limits } from '@postrider/contract';
import { expect, test } from 'vitest';
import { fitAnswer } from './fit-answer.ts';

const rowsOf = (count: number, text: string) => Array.from({ length: count }, (_, id) => ({ id, text }));
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const same = <T>(row: T): T => row;

test('what is small is all there', async () => {
  const rows = rowsOf(100, 'x'.repeat(10_000));
  expect(await fitAnswer(rows, same)).toEqual(rows);
});

test.each([
  ['usual texts', 'x'.repeat(65_536)],
  ['control characters, which become six bytes each', '\u0001'.repeat(65_536)],
  ['characters of three bytes', '水'.repeat(65_536)],
])('%s: the first rows that fit, and not one less', async (_, text) => {
  const rows = rowsOf(100, text);
  const shown = await fitAnswer(rows, same);
  expect(shown).toEqual(rows.slice(0, shown.length));
  expect(bytesOf(shown)).toBeLessThan(limits.answerBytesMax * 1.5);
  expect(bytesOf(rows.slice(0, shown.length + 1))).toBeGreaterThan(limits.answerBytesMax);
});

test('one row is answered however large it is', async () => {
  const rows = rowsOf(2, 'x'.repeat(3 * limits.answerBytesMax));
  expect(await fitAnswer(rows, same)).toEqual(rows.slice(0, 1));
});

test('others are served while a long answer is made', async () => {
  let served = 0;
  let isOver = false;
  const serve = async () => {
    for (; !isOver; served++) await setImmediate();
  };
  const serving = serve();
  await fitAnswer(rowsOf(10, 'x'), (row) => {
    for (const end = performance.now() + 6; performance.now() < end; );
    return row;
  });
  isOver = true;
  await serving;
  expect(served).toBeGreaterThan(2);
});
