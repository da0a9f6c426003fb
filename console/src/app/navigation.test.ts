import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

// Read as text: loading it would load 6,000 icons.
const source = readFileSync(new URL('./navigation.ts', import.meta.url), 'utf8');

it('gives each shortcut to one page only', () => {
  const shortcuts = [...source.matchAll(/keys: '([^']+)'/g)].map(([, keys]) => keys);
  expect(shortcuts.length).toBeGreaterThan(10);
  expect(shortcuts.filter((keys, index) => shortcuts.indexOf(keys) !== index)).toEqual([]);
});
