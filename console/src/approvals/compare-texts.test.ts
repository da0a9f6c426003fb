import { expect, test } from 'vitest';
import { doTextsDiffer } from './compare-texts.ts';

const letter = 'Dear Ada, your order left our house yesterday. It should be with you on Thursday.';

test('two versions of one text do not differ', () => {
  expect(doTextsDiffer(letter, letter.toUpperCase())).toBe(false);
  expect(
    doTextsDiffer(`${letter} See the order`, `${letter}\n\nSee the order (https://shop.example/1)`),
  ).toBe(false);
  expect(
    doTextsDiffer('It is here. See shop.example/orders/1', 'It is here. See https://shop.example/orders/1'),
  ).toBe(false);
  expect(doTextsDiffer(letter, letter.replaceAll(' ', '\n> '))).toBe(false);
  expect(doTextsDiffer('', '')).toBe(false);
});

test('a version that says something else, much less or much more differs', () => {
  expect(doTextsDiffer(letter, 'Please pay 400 to the account below.')).toBe(true);
  expect(doTextsDiffer(letter, 'Dear Ada,')).toBe(true);
  expect(doTextsDiffer('Dear Ada,', letter)).toBe(true);
  expect(doTextsDiffer(letter, '')).toBe(true);
});
