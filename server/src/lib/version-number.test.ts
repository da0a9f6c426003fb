import { expect, test } from 'vitest';
import { versionNumber } from './version-number.ts';

test('versions are in order as numbers, and pre-releases come before their release', () => {
  const inOrder = [
    '0.0.0-next-20261127',
    '0.9.0',
    '0.10.0',
    '1.0.0-alpha',
    '1.0.0-rc.1',
    '1.0.0-rc.2',
    '1.0.0',
    '1.0.1',
    '20.0.0',
  ];
  const numbers = inOrder.map(versionNumber);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(versionNumber('1.0.0+build.5')).toBe(versionNumber('1.0.0'));
  expect(Math.max(...numbers)).toBeLessThan(2 ** 31);
});
