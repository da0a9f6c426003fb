import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));

/** Returns the packages that a file imports. Code in the texts of a file is none of them. */
function importedPackages(text: string): string[] {
  const withoutTypes = text.replace(/^import type [\s\S]*?;$/gm, '');
  return ts
    .preProcessFile(withoutTypes, true, true)
    .importedFiles.flatMap(({ fileName }) => /^(?:@[\w-]+\/)?[\w-]+/.exec(fileName)?.[0] ?? []);
}

/* `npm start` installs the dependencies of the packages that the server runs or builds from source, and no development dependencies. */
it.each([
  ['mcp', 'src'],
  ['contract', 'src'],
  ['embeddings', 'src'],
  ['console', '{src,build,.}'],
])('%s runs with its dependencies alone', (name, folders) => {
  const manifest = JSON.parse(readFileSync(`${root}${name}/package.json`, 'utf8'));
  const there = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  const files = globSync(`${name}/${folders}/**/*.{ts,tsx}`, {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**'],
  }).filter((file) => !file.endsWith('.test.ts'));
  const needed = files.flatMap((file) => importedPackages(readFileSync(root + file, 'utf8')));
  expect(needed.length).toBeGreaterThan(0);
  expect([...new Set(needed)].filter((one) => one !== 'node' && !there.includes(one))).toEqual([]);
});
