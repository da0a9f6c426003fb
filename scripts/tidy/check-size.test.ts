import { expect, it } from 'vitest';
import { checkSize } from './check-size.ts';
import { parseSource } from './source-file.ts';

const lines = (count: number, text = 'a();'): string => `${text}\n`.repeat(count);
const check = (path: string, text: string) => checkSize([parseSource(path, text)]);

it('warns of files over 250 lines and refuses files over 400', () => {
  expect(check('a.ts', lines(250))).toEqual([]);
  expect(check('a.ts', lines(251))).toMatchObject([{ warning: true }]);
  expect(check('a.ts', lines(400))).toMatchObject([{ warning: true }]);
  expect(check('a.ts', lines(401))).toMatchObject([
    { warning: false, message: expect.stringContaining('split') },
  ]);
});

it('refuses functions over 60 lines, of every kind', () => {
  for (const [head, tail] of [
    ['function f() {', '}'],
    ['const f = () => {', '};'],
    ['class A { m() {', '} }'],
    ['class A { constructor() {', '} }'],
  ] as const) {
    expect(check('a.ts', `${head}\n${lines(58)}${tail}`)).toEqual([]);
    expect(check('a.ts', `${head}\n${lines(59)}${tail}`)).toMatchObject([
      { line: 1, message: expect.stringContaining('61 lines') },
    ]);
  }
});

it('counts each function, not the list of tests that a describe is', () => {
  const text = `describe.each([1])('x', () => {\n${lines(80, "it('a', () => {});")}});`;
  expect(check('a.test.ts', text)).toEqual([]);
  expect(check('a.ts', text)).toHaveLength(1);
  expect(check('a.test.ts', `it('x', () => {\n${lines(80)}});`)).toHaveLength(1);
});
