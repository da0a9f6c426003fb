import { expect, test } from 'vitest';
import { countLines, frameHeight, isLongText } from './use-display.ts';

test('counts the lines of a text, with those that are wrapped', () => {
  expect(countLines('one\n\nthree')).toBe(3);
  expect(countLines('x'.repeat(181), 90)).toBe(3);
});

test('folds a text that is longer than a few screens', () => {
  expect(isLongText('line\n'.repeat(20))).toBe(false);
  expect(isLongText('line\n'.repeat(80))).toBe(true);
  expect(isLongText('x'.repeat(10_000))).toBe(true);
});

test('gives a short HTML text all the room that it needs, and folds a long one', () => {
  const short = frameHeight({ text: 'Hello', blocks: 1, images: 0 }, 800);
  expect(short).toEqual({ isLong: false, folded: 30_000, whole: 30_000 });
  const long = frameHeight({ text: 'x'.repeat(20_000), blocks: 100, images: 2 }, 400);
  expect(long).toEqual({ isLong: true, folded: 550, whole: 30_000 });
});

test('folds a text earlier on a narrow page, where it takes more room', () => {
  const text = { text: 'x'.repeat(4_000), blocks: 5, images: 0 };
  expect(frameHeight(text, 360).isLong).toBe(true);
  expect(frameHeight(text, 800).isLong).toBe(false);
});
