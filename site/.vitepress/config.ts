import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { brand } from '../../contract/src/brand.ts';
import { docsPath } from '../../server/src/docs/docs-path.ts';
import { headingAnchor, type Page, readDocumentation } from '../../server/src/docs/read-documentation.ts';
import { correctSearchRoles } from './search-roles.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { sections } = readDocumentation(root);
const entries = sections.flatMap((section) => section.entries);
const abouts = new Map(entries.map(({ page, about }) => [`${page.path}.md`, about]));

const linkTo = ({ path }: Page) => `/${path.replace(/(^|\/)index$/, '$1')}`;

/** Guides answer most questions. What explains how things are made says the same, and fewer people look for it. */
function boostDocument(id: string): number {
  if (/^\/(adr|architecture|bench|changelog|contributing|faults|roadmap|security|spec)/.test(id)) return 0.3;
  return /^\/(guides|mcp|quickstart|sdk)/.test(id) ? 1.5 : 1;
}

export default defineConfig({
  base: `${docsPath}/`,
  // `scripts/build-docs.ts` writes the pages there.
  srcDir: 'pages',
  outDir: 'dist',
  lang: 'en',
  title: brand.product,
  description: brand.summary,
  cleanUrls: true,
  // The way to keep colours from fading while they change is a style sheet inside of the page, which the security policy forbids.
  appearance: { disableTransition: false },
  // A page loads what it shows, and not what its links lead to.
  router: { prefetchLinks: false },
  markdown: {
    anchor: { slugify: headingAnchor },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  transformPageData: ({ relativePath }) => ({ description: abouts.get(relativePath) || brand.summary }),
  transformHead: ({ page }) => [
    ['link', { rel: 'alternate', type: 'text/markdown', href: `${docsPath}/${page}` }],
  ],
  themeConfig: {
    outline: [2, 3],
    sidebar: sections.map(({ title, entries: pages }) => ({
      text: title,
      collapsed: title !== 'Start',
      items: pages.map(({ title: text, page }) => ({ text, link: linkTo(page) })),
    })),
    search: {
      provider: 'local',
      options: {
        detailedView: false,
        miniSearch: { searchOptions: { boostDocument, boost: { title: 4, titles: 4, text: 2 }, fuzzy: 0.1 } },
      },
    },
  },
  vite: {
    plugins: [correctSearchRoles()],
    resolve: {
      // The search of a company, which is not used and not installed.
      alias: [
        {
          find: /^.*\/VPAlgoliaSearchBox\.vue$/,
          replacement: fileURLToPath(new URL('./theme/nothing.ts', import.meta.url)),
        },
      ],
    },
    // The security policy has no room for images inside of style sheets.
    build: { assetsInlineLimit: 0 },
  },
});
