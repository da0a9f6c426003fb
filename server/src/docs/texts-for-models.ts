/* The documentation for language models, as https://llmstxt.org describes it. */
import { type Documentation, type LinkPlace, type Page, writeLinks } from './read-documentation.ts';

/** Returns `llms.txt`, the table of contents, and `llms-full.txt`, which contains every page in it, one after the other. */
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
