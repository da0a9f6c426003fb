/* The documentation: the Markdown files of the source code as pages, with the structure that its table of contents gives it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readChanges } from './read-changes.ts';

/** A page of the documentation. */
export interface Page {
  /** Its path below that of the documentation, such as `guides/sending`. The page of a folder ends with `index`. */
  path: string;
  /** Its file, such as `docs/guides/sending.md`. */
  file: string;
  title: string;
  /** Its source, with links between files. */
  markdown: string;
}

/** A part of the table of contents. */
export interface Section {
  title: string;
  entries: { title: string; about: string; page: Page }[];
}

/** All pages by their files, and the table of contents. */
export interface Documentation {
  pages: ReadonlyMap<string, Page>;
  contents: Page;
  sections: Section[];
}

/** The table of contents. Its sections are lists of links with a few words about each page, as in llms.txt. */
const contentsFile = 'docs/README.md';
/** The page that lists the changes, which are in separate files. */
const changelogFile = 'docs/changelog.md';

/** Code, which has no links; a link or an image; or the source of an image in HTML. */
const linkPattern = /^ *```.*?^ *```$|`[^`\n]*`|(!?)\[((?:[^[\]`]|`[^`]*`)*)\]\(([^)\s]+)\)|src="([^"]+)"/gms;

/**
 * Reads the documentation of the source code in a folder: every page in `docs/`, and those elsewhere that the table of contents names.
 * That is about a megabyte. Throws an error if the table of contents names a file that does not exist.
 */
export function readDocumentation(root: string): Documentation {
  const contents = readPage(root, contentsFile);
  const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .sort();
  const files = new Set([...listTargets(contents), ...inDocs].filter((file) => file.endsWith('.md')));
  const pages = new Map([...files].map((file) => [file, readPage(root, file)]));
  return { pages, contents, sections: readSections(contents, pages) };
}

function readPage(root: string, file: string): Page {
  const text = readFileSync(join(root, file), 'utf8');
  const markdown = file === changelogFile ? `${text}\n${readChanges(root)}` : text;
  const path = file
    .replace(/^docs\//, '')
    .replace(/README\.md$/, 'index')
    .replace(/\.md$/, '')
    .toLowerCase();
  return { path, file, title: /^# (.*)$/m.exec(markdown)?.[1] ?? path, markdown };
}

function listTargets(page: Page): string[] {
  return [...page.markdown.matchAll(/\]\(([^)\s#]+)/g)].map(([, target = '']) => resolveLink(page, target));
}

function resolveLink({ file }: Page, target: string): string {
  return posix.join(posix.dirname(file), decodeURIComponent(target));
}

function readSections(contents: Page, pages: ReadonlyMap<string, Page>): Section[] {
  return contents.markdown
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      title: part.slice(0, part.indexOf('\n')),
      entries: [...part.matchAll(/^- \[([^\]]*)\]\(([^)]*)\)(?:[:,] (.*))?$/gm)].flatMap(
        ([, title = '', target = '', about = '']) => {
          const page = pages.get(resolveLink(contents, target));
          return page ? [{ title, about, page }] : [];
        },
      ),
    }));
}

/** The target of the links of a page: the path of the documentation, which ends with a slash, and the suffix after the path of a page. */
export interface LinkPlace {
  base: string;
  /** `.md` for pages in Markdown. Without it, the page of a folder is at the path of the folder. */
  suffix: '' | '.md';
}

/**
 * Returns the source of a page with links that work at a place. A link to a file that is no page, such as a test, becomes the path of the
 * file in the source code.
 */
export function writeLinks({ pages }: Documentation, page: Page, { base, suffix }: LinkPlace): string {
  const imagePath = (target: string) => base + resolveLink(page, target).replace(/^docs\//, '');
  const pagePath = ({ path }: Page) => base + (suffix ? path + suffix : path.replace(/(^|\/)index$/, '$1'));
  return page.markdown.replaceAll(linkPattern, (whole, image, text, target, source) => {
    if (source !== undefined) return isOutside(source) ? whole : `src="${imagePath(source)}"`;
    if (target === undefined || isOutside(target)) return whole;
    if (image) return `![${text}](${imagePath(target)})`;
    const [path = '', anchor] = (target as string).split('#');
    const file = resolveLink(page, path);
    const linked = pages.get(file);
    if (!linked) return describeFile(text, file);
    return `[${text}](${pagePath(linked)}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}

function isOutside(target: string): boolean {
  return /^(?:[a-z]+:|#|\/)/.test(target);
}

function describeFile(text: string, file: string): string {
  const named = text.replaceAll('`', '');
  return file === named || file.endsWith(`/${named}`) ? `\`${file}\`` : `${text} (\`${file}\`)`;
}

/**
 * Returns the texts for language models, as https://llmstxt.org describes them: `llms.txt`, the table of contents, and `llms-full.txt`,
 * which contains every page in it, one after the other.
 */
export function textsForModels(documentation: Documentation, base: string): Record<string, string> {
  const place: LinkPlace = { base, suffix: '.md' };
  const { contents, sections } = documentation;
  const named = new Set([contents, ...sections.flatMap(({ entries }) => entries.map(({ page }) => page))]);
  const whole = (page: Page) =>
    `<!-- ${base}${page.path}.md -->\n\n${writeLinks(documentation, page, place).trim()}\n`;
  return {
    'llms.txt': writeLinks(documentation, contents, place),
    'llms-full.txt': [...named].map(whole).join('\n'),
  };
}

/** Returns the anchor of a heading, in the way of the places where Markdown is usually read. */
export function headingAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
