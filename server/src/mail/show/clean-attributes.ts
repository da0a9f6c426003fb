import { cleanStyles, type ResolveImage } from '../html/clean-styles.ts';
import type { Attributes } from '../html/read-elements.ts';
import { webAddress } from './resolve-image.ts';

const linkLengthMax = 8_192;
/** Browsers ignore these characters in the scheme of an address. */
const ignored = /[\0-\x20]+/g;

/** Attributes that lay out and describe. None of them loads or runs anything. */
export const plainAttributes = (
  'align alt axis bgcolor border bordercolor cellpadding cellspacing char charoff class clear color cols colspan coords datetime dir face ' +
  'frame headers height hspace id lang noshade nowrap open reversed role rowspan rules scope shape size span start summary text title ' +
  'type usemap valign value vspace width aria-*'
).split(' ');

/** Attributes that are rewritten here, and those that are added. */
export const rewrittenAttributes = ['style', 'background', 'src', 'href', 'name', 'target', 'rel'];

const linkElements = new Set(['a', 'area']);

/**
 * Returns the attributes that an element keeps. Images are resolved, and links lead to the web, to mail and telephone programs or to a
 * place in the same mail. A link opens a new tab, which learns neither the page nor its address.
 */
export function cleanAttributes(element: string, attributes: Attributes, resolve: ResolveImage): Attributes {
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
  const address = href.replace(ignored, '');
  if (address.length > linkLengthMax) return {};
  if (address.startsWith('#')) return { href: address };
  const target = /^(?:mailto|tel):/i.test(address) ? address : webAddress(href.trim());
  return target === null ? {} : { href: target, target: '_blank', rel: 'noopener noreferrer nofollow' };
}
