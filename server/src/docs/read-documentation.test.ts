import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { plainFiles } from './plain-pages.ts';
import {
  headingAnchor,
  type Page,
  readDocumentation,
  textsForModels,
  writeLinks,
} from './read-documentation.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const documentation = readDocumentation(root);
const pages = [...documentation.pages.values()];
const read = plainFiles(root, '/docs/');
const htmlOf = ({ path }: Page) => String(read(`${path}.html`));

const page = (file: string) => {
  const found = documentation.pages.get(file);
  if (!found) throw new Error(`There is no page ${file}.`);
  return found;
};

/** Returns the paths that a page of HTML links to below the documentation, with their anchors. */
const linksIn = (html: string) =>
  [...html.matchAll(/(?:href|src)="\/docs\/([^"#]*)(?:#([^"]*))?"/g)].map(([, path = '', anchor]) => ({
    path,
    anchor,
  }));

describe('the table of contents', () => {
  it('has the sections that people come for, in this order', () => {
    expect(documentation.sections.map(({ title }) => title)).toEqual([
      'Start',
      'Build an agent',
      'Receive',
      'Send',
      'Keep it on a leash',
      'MCP',
      'Self-host',
      'Reference',
      'Compare',
      'Decisions',
    ]);
  });

  it('has every page once, and says what each is about', () => {
    const entries = documentation.sections.flatMap((section) => section.entries);
    const named = entries.map(({ page: { file } }) => file).sort();
    expect(named).toEqual(
      pages
        .map(({ file }) => file)
        .filter((file) => file !== 'docs/README.md')
        .sort(),
    );
    for (const { title, about, page: target } of entries)
      if (!target.file.startsWith('docs/adr/')) expect([title, about]).not.toContain('');
  });

  it('gives every page a path of its own', () => {
    expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
    expect(page('docs/README.md').path).toBe('index');
    expect(page('docs/reference/README.md').path).toBe('reference/index');
    expect(page('sdk/README.md').path).toBe('sdk/index');
    expect(page('ARCHITECTURE.md').path).toBe('architecture');
  });
});

describe('links', () => {
  it.each(pages.map((one) => [one.path, one] as const))('of %s lead to pages and headings', (_, one) => {
    for (const { path, anchor } of linksIn(htmlOf(one))) {
      const target = [path, `${path}index.html`, `${path}.html`].map((name) => read(name)).find(Boolean);
      expect(target, `${one.file} links to ${path}`).toBeTruthy();
      if (anchor !== undefined) expect(String(target)).toContain(` id="${anchor}"`);
    }
  });

  it('become those of a place, and stay as they are in code', () => {
    const sending = page('docs/guides/sending.md');
    const source = {
      ...sending,
      markdown: '[a `b`](threads.md#x) [c](../README.md) ![d](../images/e.png)\n',
    };
    const write = (one: Page, base: string, suffix: '' | '.md') =>
      writeLinks(documentation, one, { base, suffix });
    expect(write(source, '/docs/', '')).toBe(
      '[a `b`](/docs/guides/threads#x) [c](/docs/) ![d](/docs/images/e.png)\n',
    );
    expect(write(source, '/docs/', '.md')).toBe(
      '[a `b`](/docs/guides/threads.md#x) [c](/docs/index.md) ![d](/docs/images/e.png)\n',
    );
    const code = '`[a](threads.md)`\n\n```js\n[b](threads.md)\n```\n\n[c](https://example.com) [d](#e)\n';
    expect(write({ ...sending, markdown: code }, '/', '')).toBe(code);
  });

  it('to files that are no pages become their paths', () => {
    const source = { ...page('docs/compare.md'), markdown: '[test](../a/b.ts), [c.json](../c.json)' };
    expect(writeLinks(documentation, source, { base: '/', suffix: '' })).toBe('test (`a/b.ts`), `c.json`');
  });
});

describe('texts for models', () => {
  const texts = textsForModels(documentation, '/docs/');

  it('are the table of contents, whose links lead to Markdown', () => {
    const targets = [...(texts['llms.txt'] ?? '').matchAll(/\]\(\/docs\/([^)#]+)[^)]*\)/g)];
    expect(texts['llms.txt']).toMatch(/^# Postrider\n\n> /);
    expect(targets.length).toBeGreaterThan(90);
    for (const [, path = ''] of targets) expect([path, read(path)?.length]).not.toContain(undefined);
  });

  it('have every page in one', () => {
    for (const one of pages) expect(texts['llms-full.txt']).toContain(`<!-- /docs/${one.path}.md -->`);
  });
});

it('the changelog has the changes that are not released, with their packages', () => {
  const { markdown } = page('docs/changelog.md');
  expect(markdown).toContain('## Not released yet');
  expect(markdown).toMatch(/^- `@postrider\/server`: The server shows its documentation at/m);
});

it('a plain page runs nothing, and what is wide can be scrolled with the keys', () => {
  const html = htmlOf(page('docs/guides/sending.md'));
  expect(html).not.toMatch(/<script|https?:\/\/[^"]*"[^>]*src/);
  expect(html).toContain('<title>Send mail | Postrider</title>');
  expect(html).toContain('<h2 id="follow-the-delivery">');
  expect(html).toContain('<pre tabindex="0"><code class="language-js">');
});

it('a heading has the anchor that it has where Markdown is usually read', () => {
  expect(headingAnchor('`npm start`: What it does, and why')).toBe('npm-start-what-it-does-and-why');
});
