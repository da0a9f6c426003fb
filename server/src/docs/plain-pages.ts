/* Pages of the documentation as a server in the source code shows them until they are built: plain HTML without a script. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { brand } from '@postrider/contract';
import { Marked } from 'marked';
import { readBuilt } from '../http/built-files.ts';
import {
  headingAnchor,
  type Page,
  readDocumentation,
  textsForModels,
  writeLinks,
} from './read-documentation.ts';

const style = `:root{color-scheme:light dark}
body{font:16px/1.6 system-ui,sans-serif;max-width:46rem;margin:0 auto;padding:1rem;color:light-dark(#1b1b1b,#eee);background:light-dark(#fff,#161616)}
header,footer{display:flex;flex-wrap:wrap;gap:0 1.5rem;padding:.5rem 0}
h1,h2,h3{line-height:1.25}
a{color:light-dark(#0b57d0,#9db9ff);text-underline-offset:.15em}
pre,.table{overflow-x:auto}
pre{padding:.75rem;border:1px solid #8886;border-radius:4px;font-size:.85rem}
code{font-family:ui-monospace,monospace;font-size:.9em;overflow-wrap:anywhere}
pre code{overflow-wrap:normal}
table{border-collapse:collapse;font-size:.9rem}
th,td{border:1px solid #8886;padding:.3rem .5rem;text-align:left;vertical-align:top}
img{max-width:100%;height:auto}`;

/** The security policy of these pages. */
export const plainPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Returns a function that creates the files of a built documentation one by one from the Markdown files in a folder: the page of each, its
 * source, and the texts for models. It returns null for anything else. The sources are read when the first file is requested.
 */
export function plainFiles(root: string, base: string): (path: string) => Buffer | null {
  const documentation = readDocumentation(root);
  const texts = new Map(Object.entries(textsForModels(documentation, base)));
  const pages = new Map([...documentation.pages.values()].map((page) => [page.path, page]));
  return (path) => {
    if (path.startsWith('images/')) return readBuilt(join(root, 'docs', path));
    const text = texts.get(path);
    if (text !== undefined) return Buffer.from(text);
    const [, name = '', form] = /^(.*)\.(html|md)$/.exec(path) ?? [];
    const page = pages.get(name);
    if (!page) return null;
    if (form === 'md') return Buffer.from(writeLinks(documentation, page, { base, suffix: '.md' }));
    return Buffer.from(renderPage(page, base, writeLinks(documentation, page, { base, suffix: '' })));
  };
}

function renderPage({ path, title }: Page, base: string, markdown: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} | ${brand.product}</title>
<link rel="alternate" type="text/markdown" href="${base}${path}.md">
<style>${style}</style>
</head>
<body>
<header><a href="${base}">${brand.product}</a> <a href="/console">Console</a></header>
<main>
${renderMarkdown(markdown)}</main>
<footer><a href="${base}${path}.md">This page as Markdown</a> <a href="${base}llms.txt">For models</a></footer>
</body>
</html>
`;
}

/** Renders Markdown. Code and tables that are wider than a phone scroll by themselves, also with the keys. */
function renderMarkdown(markdown: string): string {
  const seen = new Map<string, number>();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const anchor = headingAnchor(text);
        const count = seen.get(anchor) ?? 0;
        seen.set(anchor, count + 1);
        const id = count === 0 ? anchor : `${anchor}-${count}`;
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
  });
  return (marked.parse(markdown, { async: false }) as string)
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="table" role="region" aria-label="Table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
