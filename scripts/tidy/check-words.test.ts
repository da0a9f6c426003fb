import { expect, it } from 'vitest';
import { checkWords } from './check-words.ts';
import { parseSource } from './source-file.ts';

const checkMessages = (path: string, text: string): string[] =>
  checkWords([parseSource(path, text)]).map(({ message }) => message);

it('refuses notes to self and silenced checkers in comments', () => {
  for (const note of [
    'TODO later',
    'FIXME',
    '@ts-ignore',
    'biome-ignore lint: x',
    'eslint-disable-next-line',
  ])
    expect(checkMessages('a.ts', `// ${note}\nconst a = 1;`)).toHaveLength(1);
  expect(checkMessages('a.ts', 'f(); // TODO at the end\n/* FIXME */')).toHaveLength(2);
  expect(checkMessages('a.ts', "const text = 'TODO';")).toEqual([]);
});

it('lets tests of types expect an error, and nobody else', () => {
  expect(checkMessages('a.test.ts', '// @ts-expect-error no such field\nf();')).toEqual([]);
  expect(checkMessages('a.ts', '// @ts-expect-error no such field\nf();')).toHaveLength(1);
});

it('refuses paths of one machine in code, comments and documents', () => {
  const path = ['', 'home', 'ann', 'mail'].join('/');
  expect(checkMessages('a.ts', `const a = '${path}';`)).toEqual([expect.stringContaining('/home/ann')]);
  expect(checkMessages('docs/a.md', `Look into ${path} for it.`)).toEqual([]);
  expect(checkMessages('docs/a.md', `Look into ${['', 'tmp', 'mail'].join('/')} for it.`)).toHaveLength(1);
  expect(checkMessages('docs/a.md', `See https://example.com${path} and ./home/ann.`)).toEqual([]);
});

it('refuses a registry in the lockfile', () => {
  const entry = (resolution: string) => `packages:\n  ky@2.1.0:\n    resolution: {${resolution}}\n`;
  expect(checkMessages('pnpm-lock.yaml', entry('integrity: sha512-x'))).toEqual([]);
  const tarball = 'integrity: sha512-x, tarball: https://mirror.example/ky.tgz';
  expect(checkMessages('pnpm-lock.yaml', entry(tarball))).toHaveLength(1);
});
