import { expect, test } from 'vitest';
import { parseQuery } from './router.ts';

test('a field is a text, and a list where it is given twice or more', () => {
  expect({ ...parseQuery(null) }).toEqual({});
  expect({ ...parseQuery('a=1&b=2&b=3&b=4&c') }).toEqual({ a: '1', b: ['2', '3', '4'], c: '' });
});

test('escapes and plus signs are read, and broken escapes do no harm', () => {
  expect({ ...parseQuery('a=x%20y+z&b=%E0%A4%A&%66=1') }).toEqual({ a: 'x y z', b: '\ufffd%A', f: '1' });
});

test('brackets and names of JavaScript stay names', () => {
  const query = parseQuery('a[b]=1&a[]=2&__proto__=3&toString=4&constructor=5');
  expect(Object.keys(query)).toEqual(['a[b]', 'a[]', '__proto__', 'toString', 'constructor']);
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
});
