import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRecentMap } from './memory.ts';

test('keeps what was set lately and gives its last value', () => {
  const map = createRecentMap<number>(100);
  map.set('a', 1);
  map.set('a', 2);
  map.set('b', 3);
  map.delete('b');
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([2, undefined, undefined]);
});

test('a key outlives nearly half as many others as may be kept, and none outlives twice as many', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 50 }), fc.nat({ max: 50 }), (half, before) => {
      const map = createRecentMap<string>(half * 2);
      for (let i = 0; i < before; i += 1) map.set(`before ${i}`, 'x');
      map.set('key', 'value');
      for (let i = 0; i < half - 1; i += 1) map.set(`after ${i}`, 'x');
      expect(map.get('key')).toBe('value');
      for (let i = 0; i < half * 2; i += 1) map.set(`later ${i}`, 'x');
      expect(map.get('key')).toBeUndefined();
    }),
  );
});

test('what was deleted does not come back, however old it is', () => {
  const map = createRecentMap<number>(4);
  for (const key of ['a', 'b', 'c', 'a']) map.set(key, 1);
  map.delete('a');
  expect(map.get('a')).toBeUndefined();
});
