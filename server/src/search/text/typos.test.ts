import { expect, test } from 'vitest';
import { editDistanceIsOne, variantsOf } from './typos.ts';

test.each([
  ['invoice', 'invioce'],
  ['invoice', 'invoic'],
  ['invoice', 'invocie'],
  ['invoice', 'invoyce'],
  ['invoice', 'innvoice'],
])('%s and %s are one typo apart', (left, right) => {
  expect(editDistanceIsOne(left, right)).toBe(true);
  const variants = new Set(variantsOf('wsp_1', left));
  expect(variantsOf('wsp_1', right).some((variant) => variants.has(variant))).toBe(true);
});
