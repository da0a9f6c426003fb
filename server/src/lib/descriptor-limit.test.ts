import { expect, test } from 'vitest';
import { descriptorLimit, parseLimits } from './descriptor-limit.ts';

const line = (soft: string) =>
  `Limit                     Soft Limit           Hard Limit           Units     \nMax processes             96364                96364                processes \nMax open files            ${soft}                 1048576              files     \n`;

test('the limit in force is the soft one', () => {
  expect(parseLimits(line('300'))).toBe(300);
  expect(parseLimits(line('unlimited'))).toBe(Number.MAX_SAFE_INTEGER);
});

test('a system that says nothing is taken to grant the usual', () => {
  expect(parseLimits('')).toBe(1_024);
  expect(descriptorLimit()).toBeGreaterThan(16);
});
