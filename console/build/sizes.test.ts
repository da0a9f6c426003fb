import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { bytesMin } from './compress-assets.ts';
import { measureRoutes } from './route-sizes.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const dist = `${folder}/dist`;
const kilobyte = 1_000;

/**
 * Kilobytes of JavaScript after gzip that a page may need before it is shown. Most people open the first page first. From there, another
 * one loads no more than what it needs in addition, 5 to 60 KB: the menus of the frame, which count for it here, are loaded then.
 */
const limits = { signIn: 158, first: 195, other: 285 };
/** Files of JavaScript that the way in may need: a request each. */
const filesMax = { signIn: 6, first: 10 };

/** The page that follows the sign-in: the first one of the navigation. */
function firstPage(): string {
  const text = readFileSync(`${folder}/src/app/navigation.ts`, 'utf8');
  return `src/${/import\('\.\.\/([^']+)'\)/.exec(text)?.[1]}`;
}

function limitOf(page: string): number {
  if (page === 'src/people/sign-in-page.tsx') return limits.signIn;
  return page === firstPage() ? limits.first : limits.other;
}

it('loads little JavaScript before a page is shown', () => {
  const routes = measureRoutes(dist);
  const kb = (bytes: number) => (bytes / kilobyte).toFixed(1).padStart(6);
  console.log(routes.map(({ page, bytes }) => `${kb(bytes)} of ${limitOf(page)} KB  ${page}`).join('\n'));
  const pages = routes.map(({ page }) => page);
  expect(pages).toEqual(expect.arrayContaining(['src/people/sign-in-page.tsx', firstPage()]));
  expect(routes.filter(({ page, bytes }) => bytes > limitOf(page) * kilobyte)).toEqual([]);
});

it('comes in few files on the way in', () => {
  const files = (page: string) => measureRoutes(dist).find((route) => route.page === page)?.files;
  expect(files('src/people/sign-in-page.tsx')).toBeLessThanOrEqual(filesMax.signIn);
  expect(files(firstPage())).toBeLessThanOrEqual(filesMax.first);
});

it('has each file that is worth it compressed, for clients with either encoding', () => {
  const names = readdirSync(`${dist}/assets`);
  const isLarge = (name: string) => statSync(`${dist}/assets/${name}`).size >= bytesMin;
  const texts = names.filter((name) => /\.(?:js|css)$/.test(name) && isLarge(name));
  expect(texts.length).toBeGreaterThanOrEqual(2);
  for (const name of texts) expect(names).toEqual(expect.arrayContaining([`${name}.br`, `${name}.gz`]));
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
