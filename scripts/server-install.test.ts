import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const imported = /\b(?:from|import) *\(?'((?:@[\w-]+\/)?[\w-]+)[^']*'/g;

/* `npm start` installs the dependencies of the packages that the server runs or builds from source, and no development dependencies. */
it.each([
  ['mcp', 'src'],
  ['contract', 'src'],
  ['console', '{src,build,.}'],
])('%s runs with its dependencies alone', (name, folders) => {
  const manifest = JSON.parse(readFileSync(`${root}${name}/package.json`, 'utf8'));
  const there = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  const files = globSync(`${name}/${folders}/**/*.{ts,tsx}`, {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**'],
  }).filter((file) => !file.endsWith('.test.ts'));
  const needed = files.flatMap((file) => {
    const text = readFileSync(root + file, 'utf8').replace(/^import type [\s\S]*?;$/gm, '');
    return [...text.matchAll(imported)].map(([, specifier]) => specifier as string);
  });
  expect(needed.length).toBeGreaterThan(0);
  expect([...new Set(needed)].filter((one) => one !== 'node' && !there.includes(one))).toEqual([]);
});
