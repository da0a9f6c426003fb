import { describe, expect, it } from 'vitest';
import { addOperator, emptySearch, isAsking, queryFor, readSnippet } from './search-state.ts';

describe('queryFor', () => {
  it('has only what is asked for', () => {
    expect(queryFor(emptySearch)).toEqual({});
    expect(queryFor({ ...emptySearch, q: 'invoice', direction: 'inbound' })).toEqual({
      query: 'invoice',
      mode: 'keyword',
      direction: 'inbound',
    });
  });

  it('ignores a mode, a direction and days that do not exist', () => {
    const odd = {
      ...emptySearch,
      q: 'x',
      mode: 'magic',
      direction: 'sideways',
      after: 'soon',
      before: '2026-1-1',
    };
    expect(queryFor(odd)).toEqual({ query: 'x', mode: 'keyword' });
  });

  it('includes the whole last day in the zone of the reader', () => {
    const { after, before } = queryFor({ ...emptySearch, after: '2026-03-01', before: '2026-03-31' });
    expect(new Date(String(after))).toEqual(new Date(2026, 2, 1));
    expect(new Date(String(before))).toEqual(new Date(2026, 3, 1));
  });

  it('keeps the space that ends the last word', () => {
    expect(queryFor({ ...emptySearch, q: '  radia ' }).query).toBe('radia ');
  });
});

it('asks for nothing with a mode alone', () => {
  expect(isAsking({ ...emptySearch, mode: 'hybrid', q: ' ' })).toBe(false);
  expect(isAsking({ ...emptySearch, label: 'lbl_1' })).toBe(true);
});

it('adds an operator once', () => {
  expect(addOperator('invoice ', 'has:attachment')).toBe('invoice has:attachment');
  expect(addOperator('has:attachment', 'has:attachment')).toBe('has:attachment');
  expect(addOperator('', 'from:')).toBe('from:');
});

describe('readSnippet', () => {
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
});
