import { expect, test } from 'vitest';
import { remember } from './memory.ts';

test('a value is computed once while it is among the recent ones, also one that is false or missing', () => {
  const asked: string[] = [];
  const lengthOf = remember(10, (text) => {
    asked.push(text);
    return text === '' ? undefined : text.length > 1;
  });
  expect(['a', 'bb', 'a', '', 'bb', ''].map(lengthOf)).toEqual([
    false,
    true,
    false,
    undefined,
    true,
    undefined,
  ]);
  expect(asked).toEqual(['a', 'bb', '']);
  for (let n = 0; n < 100; n += 1) lengthOf(`n${n}`);
  lengthOf('a');
  expect(asked.filter((text) => text === 'a')).toHaveLength(2);
});
