/*
 * Turns the HTML of a mail into a page for a frame. Two barriers separate a mail from its reader: the headers of the page
 * (`frame-headers.ts`), and the removal of dangerous parts here. Tests check each of them without the other.
 */
import type { HiddenPart } from '@postrider/contract/console';
import sanitizeHtml from 'sanitize-html';
import { escapeHtml } from '../../lib/texts.ts';
import { cleanStyles, type ResolveImage } from '../html/css.ts';
import { type Attributes, dropped } from '../html/read-elements.ts';
import { type MailHead, readHead } from '../html/read-head.ts';
import { measurePage } from './measure-page.ts';
import { findHiddenParts } from './read-parts.ts';
import { type ImageChoice, type ImageCounts, imageResolver, webAddress } from './resolve-image.ts';

const linkLengthMax = 8_192;
/** Browsers ignore these characters in the scheme of an address. */
const ignoredCharacters = /[\0-\x20]+/g;

/** Attributes that lay out and describe. None of them loads or runs anything. */
const plainAttributes = (
  'align alt axis bgcolor border bordercolor cellpadding cellspacing char charoff class clear color cols colspan coords datetime dir face ' +
  'frame headers height hspace id lang noshade nowrap open reversed role rowspan rules scope shape size span start summary text title ' +
  'type usemap valign value vspace width aria-*'
).split(' ');

/** Attributes that are rewritten here, and those that are added. */
const rewrittenAttributes = ['style', 'background', 'src', 'href', 'name', 'target', 'rel'];

const linkElements = new Set(['a', 'area']);

/** The options for showing a mail. */
export interface ShowOptions extends ImageChoice {
  /** The title of the page, such as the subject. */
  title: string;
  /** The language of the page if the mail names none. */
  lang: string;
  /** Whether to find the parts that the page does not show to everyone, which doubles the time. */
  findsHidden?: boolean;
  /** The nonce of the headers, for the script that tells the height of the page. Without it, the page has no script. */
  nonce?: string;
}

/** The page of a mail. */
export interface ShownMail {
  /** A complete HTML document, for a frame with the headers of `frameHeaders`. */
  document: string;
  /** The number of places that would show a remote image. */
  remoteImagesHeld: number;
  /** The number of places that name an inline image which the mail does not have. */
  inlineImagesMissing: number;
  /** Whether the mail is longer than the part that is shown. */
  cut: boolean;
  /**
   * Texts that other programs, screens or paper show and the page does not, or the other way round: the first few, if they were asked
   * for.
   */
  hidden: HiddenPart[];
}

const elements = (
  'a abbr acronym address area article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn dir div ' +
  'dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main map mark menu nav ol p pre q rp rt ruby s samp ' +
  'section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr'
).split(' ');
/**
 * Most mail is designed for a white page, so that a dark one would make it unreadable. `:where` has no weight: every rule of the mail wins.
 * An image that is not loaded keeps its place, so that nothing jumps when it is.
 */
const ownStyles = `:where(html){color-scheme:light;background:#fff;color:#1c1e21}
:where(body){margin:0;padding:16px;font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:break-word}
:where(img){max-width:100%}
:where(img:not([src])){display:inline-block;overflow:hidden;background:#f2f4f7;color:#475467}
:where(pre){white-space:pre-wrap}
:where(blockquote){margin:8px 0;padding-inline-start:12px;border-inline-start:3px solid #d0d5dd}`;

/**
 * Returns the page of an HTML mail: its text, layout and images, without anything that runs, loads, submits or leads elsewhere than a
 * link says. Time is linear in the length except for tags that close nothing, so run it where it can be stopped.
 */
export function renderHtmlMail(source: string, options: ShowOptions): ShownMail {
  const { html, cut } = limitHtml(source);
  const counts: ImageCounts = { remoteHeld: 0, inlineMissing: 0 };
  const resolve = imageResolver(options, counts);
  const head = readHead(html);
  const content = cleanElements(html, resolve);
  const document = [
    `<!doctype html>\n<html lang="${escapeHtml(head.lang ?? options.lang)}">\n<head>\n<meta charset="utf-8">`,
    // Precedes everything from the mail, which could otherwise use the nonce for its own script.
    ...(options.nonce === undefined ? [] : [measurePage(options.nonce)]),
    '<meta name="viewport" content="width=device-width">',
    `<title>${escapeHtml(options.title)}</title>`,
    `<style>${ownStyles}</style>`,
    ...head.styles.map(({ css, media }) => styleSheet(css, media, resolve)),
    `</head>\n<body${bodyAttributes(head, resolve)}>`,
    content,
    '</body>\n</html>\n',
  ].join('\n');
  return {
    document,
    remoteImagesHeld: counts.remoteHeld,
    inlineImagesMissing: counts.inlineMissing,
    cut,
    hidden: options.findsHidden === true ? findHiddenParts(html) : [],
  };
}

function cleanElements(html: string, resolve: ResolveImage): string {
  return sanitizeHtml(html, {
    allowedTags: elements,
    nonTextTags: [...dropped],
    allowedAttributes: { '*': [...plainAttributes, ...rewrittenAttributes] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesAppliedToAttributes: ['href'],
    allowProtocolRelative: false,
    // Styles are cleaned in `cleanAttributes`.
    parseStyleAttributes: false,
    nestingLimit: showLimits.depthMax,
    transformTags: {
      '*': (tagName, attribs) => ({ tagName, attribs: cleanAttributes(tagName, attribs, resolve) }),
    },
  });
}

function styleSheet(css: string, media: string, resolve: ResolveImage): string {
  const attribute = media === '' ? '' : ` media="${escapeHtml(media)}"`;
  return `<style${attribute}>${cleanStyles(css, resolve)}</style>`;
}

const bodyNames = new Set(['bgcolor', 'background', 'text', 'style', 'class', 'id', 'dir']);

function bodyAttributes({ body }: MailHead, resolve: ResolveImage): string {
  const wanted = Object.entries(body).filter(([name]) => bodyNames.has(name));
  const clean: Attributes = cleanAttributes('body', Object.fromEntries(wanted), resolve);
  return Object.entries(clean)
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('');
}

/**
 * Returns the attributes that an element keeps. Images are resolved, and links lead to the web, to mail and telephone programs or to a
 * place in the same mail. A link opens a new tab, which learns neither the page nor its address.
 */
function cleanAttributes(element: string, attributes: Attributes, resolve: ResolveImage): Attributes {
  const { style, background, src, href, name, target: _target, rel: _rel, ...kept } = attributes;
  if (style !== undefined) kept.style = cleanStyles(style, resolve);
  const backdrop = background === undefined ? null : resolve(background);
  if (backdrop !== null) kept.background = backdrop;
  if (element === 'img') {
    const source = src === undefined ? null : resolve(src);
    if (source !== null) kept.src = source;
    // Without a text, an image that is not loaded would be announced as nameless.
    kept.alt ??= '';
  }
  if (element === 'map' || element === 'a') if (name !== undefined) kept.name = name;
  return linkElements.has(element) && href !== undefined ? { ...kept, ...linkAttributes(href) } : kept;
}

function linkAttributes(href: string): Attributes {
  const address = href.replace(ignoredCharacters, '');
  if (address.length > linkLengthMax) return {};
  if (address.startsWith('#')) return { href: address };
  const target = /^(?:mailto|tel):/i.test(address) ? address : webAddress(href.trim());
  return target === null ? {} : { href: target, target: '_blank', rel: 'noopener noreferrer nofollow' };
}

/** The limits of what is shown of one mail. A mail with more is cut there, and the result says so. */
export const showLimits = {
  htmlLengthMax: 2_000_000,
  /** Opening and closing tags. A long newsletter has some thousands. */
  tagsMax: 40_000,
  /** Deeper elements lose their tags and keep their text. Chromium itself nests 512 deep. */
  depthMax: 200,
} as const;

/** HTML within the limits of length and tags, and whether some of it was left out. */
interface LimitedHtml {
  html: string;
  cut: boolean;
}

/** Cuts HTML before the tag that is one too many. NUL characters, which only serve to hide tags from filters, are removed. */
function limitHtml(source: string): LimitedHtml {
  const whole = source.replaceAll('\0', '');
  const html = whole.slice(0, showLimits.htmlLengthMax);
  const tag = /<[/a-z!?]/gi;
  for (let count = 0; count < showLimits.tagsMax; count += 1)
    if (!tag.test(html)) return { html, cut: html.length < whole.length };
  return tag.test(html) ? { html: html.slice(0, tag.lastIndex - 2), cut: true } : { html, cut: false };
}
