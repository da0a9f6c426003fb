import { expect, test } from 'vitest';
import { readHeaders } from './read-headers.ts';

const pairs = (source: string) => readHeaders(source).map(({ name, value }) => [name, value]);

test('fields come in their order, each unfolded, up to the empty line', () => {
  const source =
    'Received: from a\r\n\tby b;\r\n  now\r\nSubject: Hello: you\r\nReceived: c\r\n\r\nTo: not a field';
  expect(pairs(source)).toEqual([
    ['Received', 'from a by b; now'],
    ['Subject', 'Hello: you'],
    ['Received', 'c'],
  ]);
});

test('a source that ends within its header, has bare line feeds or strange lines is read as far as it goes', () => {
  expect(pairs('A: 1\nB')).toEqual([['A', '1']]);
  expect(pairs(' folded at once\nA: 1\n\nB: 2')).toEqual([['A', '1']]);
  expect(pairs(':no name\nA:\n\n')).toEqual([['A', '']]);
  expect(pairs('')).toEqual([]);
});
