import { expect, it } from 'vitest';
import { explainPattern } from './explain-pattern.ts';

it.each([
  ['', 'empty'],
  ['   ', 'empty'],
  ['exam', 'notYet'],
  ['example.', 'notYet'],
  ['example.com', 'domain'],
  [' Mail.Example.com ', 'domain'],
  ['münchen.example', 'domain'],
  ['*.example.com', 'notYet'],
  ['-a.example', 'notYet'],
  ['@example.com', 'notYet'],
  ['ada@example.com', 'address'],
  ['ada+news@example.com', 'address'],
  ['ada lovelace@example.com', 'notYet'],
  ['ada@', 'notYet'],
] as const)('%j is %s', (typed, expected) => {
  expect(explainPattern(typed)).toBe(expected);
});
