/*
 * Converts HTML to text. The library takes quadratic time for elements nested thousands deep (200,000 open <div>: 17 s) and writes every
 * line of a quotation once for each level. So the depth is checked first, in one pass, and HTML that is nested deeper than any real mail
 * just loses its tags.
 */
import { compile, type HtmlToTextOptions, type SelectorDefinition } from 'html-to-text';

/** The elements that a converter treats differently. */
export interface ConverterOptions {
  selectors?: SelectorDefinition[];
  formatters?: NonNullable<HtmlToTextOptions['formatters']>;
}

/** Longer HTML is cut: anything that a person wrote is within the first million characters. */
const htmlLengthMax = 1_000_000;
const depthMax = 400;
/** The maximum for the number of elements times the depth of quotations and lists, since each line is written once for each level. */
const nestedTagsMax = 1_000_000;

const tagPattern = /<(\/?)([a-z][a-z0-9]*)/gi;
/** Elements that their successors close or that have no content, so that leaving them open does not nest. */
const flatTags = new Set(
  'area base br col embed hr img input link meta param source track wbr p li dt dd td th tr thead tbody tfoot option html head body'.split(
    ' ',
  ),
);
const listTags = new Set(['blockquote', 'ul', 'ol', 'table', 'dl', 'pre']);

const baseSelectors: SelectorDefinition[] = [
  ...['img', 'title', 'style', 'script', 'noscript', 'template'].map((selector) => ({
    selector,
    format: 'skip',
  })),
  { selector: 'a', options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  { selector: 'table', options: { uppercaseHeaderCells: false } },
];

/** Creates a function from HTML to text that treats some elements in its own way. HTML that is nested too deep only loses its tags. */
export function createHtmlConverter(options: ConverterOptions = {}): (html: string) => string {
  const convert = compile({
    wordwrap: false,
    limits: { maxInputLength: htmlLengthMax + 1 },
    // Browsers also show elements outside of body, so all of it is part of the mail.
    baseElements: { selectors: [] },
    selectors: [...baseSelectors, ...(options.selectors ?? [])],
    ...(options.formatters ? { formatters: options.formatters } : {}),
  });
  return (html) => {
    const head = html.length > htmlLengthMax ? html.slice(0, htmlLengthMax) : html;
    const text = isTooDeep(head) ? stripTags(head) : convert(head);
    return text
      .replace(/\u00a0/g, ' ')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  };
}

/** Returns the text of HTML, with paragraphs, lists, links and quotations laid out, in bounded time for any input. */
export const htmlToPlainText: (html: string) => string = createHtmlConverter();

function isTooDeep(html: string): boolean {
  let depth = 0;
  let listDepth = 0;
  let listDepthMost = 0;
  let tags = 0;
  for (const [, closing, name] of html.matchAll(tagPattern)) {
    const tag = (name ?? '').toLowerCase();
    tags += 1;
    if (flatTags.has(tag)) continue;
    const step = closing === '/' ? -1 : 1;
    depth = Math.max(0, depth + step);
    if (depth > depthMax) return true;
    if (!listTags.has(tag)) continue;
    listDepth = Math.max(0, listDepth + step);
    listDepthMost = Math.max(listDepthMost, listDepth);
  }
  return tags * listDepthMost > nestedTagsMax;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function stripTags(html: string): string {
  return dropElements(html)
    .replace(/<(?:br|\/?(?:p|div|tr|li|table|blockquote|h[1-6]))\b[^<>]{0,2000}>/gi, '\n')
    .replace(/<[a-z!/][^<>]{0,10000}>/gi, '')
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim();
}

/** Removes elements that are never shown, with one search for the end of each. */
function dropElements(html: string): string {
  const kept: string[] = [];
  let at = 0;
  for (const { 0: opening, 1: name, index } of html.matchAll(/<(style|script|title|!--)/gi)) {
    if (index < at) continue;
    kept.push(html.slice(at, index));
    const closing = name === '!--' ? '--' : `</${name?.toLowerCase()}`;
    const close = indexOfIgnoringCase(html, closing, index + opening.length);
    const end = close < 0 ? -1 : html.indexOf('>', close);
    if (end < 0) return kept.join('');
    at = end + 1;
  }
  kept.push(html.slice(at));
  return kept.join('');
}

function indexOfIgnoringCase(text: string, wanted: string, from: number): number {
  const pattern = new RegExp(wanted.replace(/[-/]/g, '\\$&'), 'gi');
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}
