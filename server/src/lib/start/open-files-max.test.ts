import { expect, test } from 'vitest';
import { openFilesMax, shareOfOpenFiles } from './listen.ts';

const limits = (soft: string) =>
  `Limit                     Soft Limit           Hard Limit           Units     \nMax processes             7                    9                    processes \nMax open files            ${soft.padEnd(20)} 4096                 files     \n`;

test('reads the soft limit of open files, and assumes 1,024 where the system does not tell', () => {
  expect([openFilesMax(limits('300')), openFilesMax(limits('unlimited')), openFilesMax('')]).toEqual([
    300,
    Number.POSITIVE_INFINITY,
    1_024,
  ]);
});

test('a share of what this process may open is a whole number, and never nothing', () => {
  expect(shareOfOpenFiles(1 / 4)).toBe(Math.floor(openFilesMax() / 4));
  expect(shareOfOpenFiles(0)).toBe(1);
});
