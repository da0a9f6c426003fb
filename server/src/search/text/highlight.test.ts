import { expect, test } from 'vitest';
import { highlight } from './highlight.ts';
import { parseQuery } from './parse-query.ts';

test('marks what was found and escapes the rest', () => {
  expect(highlight('Two *invoices*\nfor you', parseQuery('invoice').terms)).toEqual({
    snippet: 'Two \\***invoices**\\* for you',
    matched: true,
  });
});
