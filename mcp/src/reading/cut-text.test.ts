import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutText } from './cut-text.ts';

it('cuts where a paragraph, a line, a sentence or a word ends', () => {
  expect(cutText('one two\n\nthree four', 0, 12)).toEqual({ text: 'one two\n\n', rest: 9 });
  expect(cutText('one two\nthree four', 0, 12)).toEqual({ text: 'one two\n', rest: 8 });
  expect(cutText('One. Two three', 0, 8)).toEqual({ text: 'One. ', rest: 5 });
  expect(cutText('one two three', 0, 6)).toEqual({ text: 'one ', rest: 4 });
});

it('gives the whole text in parts, for any text, and no half of a character', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.integer({ min: 2, max: 30 }),
      (text, max) => {
        const parts: string[] = [];
        for (let from: number | null = 0; from !== null; ) {
          const { text: part, rest } = cutText(text, from, max);
          expect(part.length).toBeLessThanOrEqual(max);
          expect(part.isWellFormed()).toBe(true);
          parts.push(part);
          from = rest;
        }
        expect(parts.join('')).toBe(text);
      },
    ),
  );
});
