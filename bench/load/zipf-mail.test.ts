import { expect, it } from 'vitest';
import { makeWord, orderNumber, vocabularySize, zipfMails } from './zipf-mail.ts';

const numbers = Array.from({ length: 500 }, (_, number) => number);

it('writes the same mail again for the same seed and number, and another one for another number', () => {
  expect(zipfMails(1)(7)).toEqual(zipfMails(1)(7));
  expect(zipfMails(1)(7).text).not.toBe(zipfMails(1)(8).text);
  expect(zipfMails(1)(7).text).not.toBe(zipfMails(2)(7).text);
});

it('has about a hundred thousand words, and texts of 100 to 300 of them', () => {
  const words = new Set(Array.from({ length: vocabularySize }, (_, rank) => makeWord(rank)));
  expect(words.size).toBeGreaterThan(vocabularySize * 0.99);
  const lengths = numbers.map(zipfMails(1)).map(({ text }) => text.split(/\s+/).length);
  expect(Math.min(...lengths)).toBeGreaterThan(80);
  expect(Math.max(...lengths)).toBeLessThan(330);
});

it('has words that most mails have, some that few have, and an order number in each', () => {
  const mails = numbers.map(zipfMails(1));
  const have = (word: string) => mails.filter(({ text }) => text.includes(word)).length / mails.length;
  expect(have('regards')).toBeGreaterThan(0.6);
  expect(have(makeWord(vocabularySize - 5))).toBeLessThan(0.02);
  expect(mails.every(({ text }, number) => text.includes(orderNumber(number)))).toBe(true);
  expect(new Set(numbers.map(orderNumber)).size).toBe(numbers.length);
});
