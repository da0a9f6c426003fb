import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const pages = globSync(['*.md', 'docs/**/*.md', 'examples/*/*.md'], { cwd: root }).sort();

const read = (page: string): string => readFileSync(join(root, page), 'utf8');

/** A page without its code, where brackets are not links. */
const readProse = (page: string): string =>
  read(page)
    .replaceAll(/^```.*?^```/gms, '')
    .replaceAll(/`[^`\n]*`/g, '');

const listAnchors = (page: string): string[] => {
  const headings = [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  return headings.map((heading) => heading.replaceAll(/[^\w\- ]/g, '').replaceAll(' ', '-'));
};

const problemWith = (page: string, link: string): string | null => {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : relative(root, resolve(root, dirname(page), decodeURIComponent(path)));
  if (!existsSync(join(root, target))) return `${link}: there is no ${target}`;
  if (statSync(join(root, target)).isDirectory()) return `${link}: name a page, not the folder ${target}`;
  if (anchor === undefined || listAnchors(target).includes(anchor)) return null;
  return `${link}: ${target} has no heading #${anchor}`;
};

describe('links of the documentation', () => {
  it.each(pages)('of %s lead somewhere', (page) => {
    const links = [...readProse(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const own = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(own.map((link) => problemWith(page, link)).filter((problem) => problem !== null)).toEqual([]);
  });

  it('name every page in the table of contents', () => {
    const contents = read('docs/README.md');
    for (const page of pages.filter((name) => name.startsWith('docs/') && name !== 'docs/README.md'))
      expect(contents).toContain(`(${relative('docs', page)})`);
  });
});
