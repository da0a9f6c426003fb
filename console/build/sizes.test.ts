import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { measureRoutes } from './route-sizes.ts';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const kilobyte = 1_000;

/** Kilobytes of JavaScript after gzip. A page with more than the usual needs its line here, with the reason. */
const limits: Record<string, number> = {
  'src/people/sign-in-page.tsx': 165,
};
const usualLimit = 200;

it('loads at most 200 KB of JavaScript before a page is shown', () => {
  const routes = measureRoutes(dist);
  const kb = (bytes: number) => (bytes / kilobyte).toFixed(1).padStart(6);
  console.log(routes.map(({ page, bytes }) => `${kb(bytes)} KB  ${page}`).join('\n'));
  expect(routes.map(({ page }) => page)).toContain('src/people/sign-in-page.tsx');
  const tooLarge = routes.filter(({ page, bytes }) => bytes > (limits[page] ?? usualLimit) * kilobyte);
  expect(tooLarge).toEqual([]);
});

it('has each file that is worth it compressed, for clients with either encoding', () => {
  const names = readdirSync(`${dist}/assets`);
  const scripts = names.filter((name) => /^index-.*\.(js|css)$/.test(name));
  expect(scripts).toHaveLength(2);
  for (const name of scripts) expect(names).toEqual(expect.arrayContaining([`${name}.br`, `${name}.gz`]));
});

it('has pages that run no code but files of the server', () => {
  const page = readFileSync(`${dist}/index.html`, 'utf8');
  const scripts = [...page.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)];
  expect(scripts.length).toBeGreaterThan(0);
  for (const [, attributes, text] of scripts) {
    expect(attributes).toContain('src="/console/assets/');
    expect(text).toBe('');
  }
});
