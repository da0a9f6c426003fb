import { expect, it } from 'vitest';
import { checkWords } from './check-words.ts';
import { parseSource } from './source-file.ts';

const messagesOf = (path: string, text: string): string[] =>
  checkWords([parseSource(path, text)]).map(({ message }) => message);

it('refuses notes to self and silenced checkers in comments', () => {
  for (const note of [
    'TODO later',
    'FIXME',
    '@ts-ignore',
    'biome-ignore lint: x',
    'eslint-disable-next-line',
  ])
    expect(messagesOf('a.ts', `// ${note}\nconst a = 1;`)).toHaveLength(1);
  expect(messagesOf('a.ts', 'f(); // TODO at the end\n/* FIXME */')).toHaveLength(2);
  expect(messagesOf('a.ts', "const text = 'TODO';")).toEqual([]);
});

it('lets tests of types expect an error, and nobody else', () => {
  expect(messagesOf('a.test.ts', '// @ts-expect-error no such field\nf();')).toEqual([]);
  expect(messagesOf('a.ts', '// @ts-expect-error no such field\nf();')).toHaveLength(1);
});

it('refuses paths of one machine in code, comments and documents', () => {
  const path = ['', 'home', 'ann', 'mail'].join('/');
  expect(messagesOf('a.ts', `const a = '${path}';`)).toEqual([expect.stringContaining('/home/ann')]);
  expect(messagesOf('docs/a.md', `Look into ${path} for it.`)).toEqual([]);
  expect(messagesOf('docs/a.md', `Look into ${['', 'tmp', 'mail'].join('/')} for it.`)).toHaveLength(1);
  expect(messagesOf('docs/a.md', `See https://example.com${path} and ./home/ann.`)).toEqual([]);
});

it('refuses a registry in the lockfile', () => {
  const entry = (resolution: string) => `packages:\n  ky@2.1.0:\n    resolution: {${resolution}}\n`;
  expect(messagesOf('pnpm-lock.yaml', entry('integrity: sha512-x'))).toEqual([]);
  const tarball = 'integrity: sha512-x, tarball: https://mirror.example/ky.tgz';
  expect(messagesOf('pnpm-lock.yaml', entry(tarball))).toHaveLength(1);
});
