import { expect, it } from 'vitest';
import { readSnippet } from './read-snippet.ts';

it('separates matches from the text around them', () => {
  expect(readSnippet('pay the **invoice** of **March**.')).toEqual([
    { text: 'pay the ', isMatch: false },
    { text: 'invoice', isMatch: true },
    { text: ' of ', isMatch: false },
    { text: 'March', isMatch: true },
    { text: '.', isMatch: false },
  ]);
});

it('shows marks and backslashes of the text as they are', () => {
  expect(readSnippet('a \\*\\*b\\*\\* \\_c\\_ \\`d\\` C:\\\\dir **\\*x**')).toEqual([
    { text: 'a **b** _c_ `d` C:\\dir ', isMatch: false },
    { text: '*x', isMatch: true },
  ]);
});

it('takes a snippet that breaks off inside of a match, a lone star and a lone backslash', () => {
  expect(readSnippet('**inv')).toEqual([{ text: 'inv', isMatch: true }]);
  expect(readSnippet('2 * 3 \\ 4\\')).toEqual([{ text: '2 * 3 \\ 4\\', isMatch: false }]);
  expect(readSnippet('')).toEqual([]);
});

it('begins shortly before the first match', () => {
  expect(readSnippet(`${'word '.repeat(40)}the **invoice** of ${'word '.repeat(40)}`)).toEqual([
    { text: '…word word word word the ', isMatch: false },
    { text: 'invoice', isMatch: true },
    { text: ` of ${'word '.repeat(40)}`, isMatch: false },
  ]);
  expect(readSnippet('word '.repeat(40))).toHaveLength(1);
});

it('leaves HTML as text', () => {
  expect(readSnippet('<img src=x onerror=alert(1)> **<b>**')).toEqual([
    { text: '<img src=x onerror=alert(1)> ', isMatch: false },
    { text: '<b>', isMatch: true },
  ]);
});
