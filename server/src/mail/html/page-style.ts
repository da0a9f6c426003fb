/*
 * Decides whether the page of a mail shows text, from the winning declarations of each element and from what the element inherits: the size
 * of a letter, its colour and the colour behind it. The colours of a picture behind a text are unknown, and hide nothing.
 */

import type { Declaration } from './css.ts';
import { type Colour, isUnreadable, parseColour } from './css-values.ts';
import type { Attributes } from './read-elements.ts';
import type { Way } from './read-style-effects.ts';

/** The style that an element hands on to its text and to the elements in it. */
export interface PageStyle {
  /** The style that hides everything, whatever elements in it say. */
  gone: Way | null;
  isInvisible: boolean;
  /** The size of a letter in CSS pixels. */
  fontSize: number;
  colour: Colour | null;
  /** Null for a picture. */
  backdrop: Colour | null;
  keepsSpace: boolean;
  display: string | null;
}

/** Declarations with their weight, from the lightest to the heaviest. */
export type Winners = ReadonlyMap<string, string>;

/** The style around the first element. */
export const rootStyle: PageStyle = {
  gone: null,
  isInvisible: false,
  fontSize: 16,
  colour: [0, 0, 0],
  backdrop: [255, 255, 255],
  keepsSpace: false,
  display: null,
};

/** Returns which declarations win, of groups with their specificity. Of the same weight, the later one wins (CSS Cascade, section 6). */
export function pickWinners(
  groups: { specificity: number; declarations: readonly Declaration[] }[],
): Winners {
  const won = new Map<string, string>();
  const ordered = groups.length > 1 ? groups.toSorted((a, b) => a.specificity - b.specificity) : groups;
  for (const isImportant of [false, true])
    for (const { declarations } of ordered)
      for (const one of declarations) {
        if (one.isImportant !== isImportant) continue;
        won.delete(one.property);
        won.set(one.property, one.value);
      }
  return won;
}

/** Returns the style of an element in another one. */
export function styleIn(outer: PageStyle, element: string, attributes: Attributes, won: Winners): PageStyle {
  const display = won.get('display') ?? ('hidden' in attributes ? 'none' : null);
  const visibility = won.get('visibility');
  const space = won.get('white-space');
  return {
    gone: outer.gone ?? (won.size === 0 && display === null ? null : goneBy(element, display, won)),
    isInvisible:
      visibility === undefined || visibility === 'inherit'
        ? outer.isInvisible
        : /hidden|collapse/.test(visibility),
    fontSize: readFontSize(outer.fontSize, won),
    colour: readColourOrInherit(outer.colour, element, attributes, won),
    backdrop: findBackdrop(outer.backdrop, attributes, won),
    keepsSpace: space === undefined ? outer.keepsSpace || element === 'pre' : /^pre|break-spaces/.test(space),
    display,
  };
}

const sizeMin = 3;

/** Returns how the text of an element is hidden on the page, or null if a person can read it. */
export function hiddenBy(style: PageStyle): Way | null {
  if (style.gone !== null) return style.gone;
  if (style.isInvisible) return 'visibility';
  if (style.fontSize < sizeMin) return 'font';
  const { colour, backdrop } = style;
  if (colour === null) return 'colour';
  return backdrop !== null && isUnreadable(colour, backdrop) ? 'colour' : null;
}

function goneBy(element: string, display: string | null, won: Winners): Way | null {
  if (display !== null && /\bnone\b/.test(display)) return 'display';
  if (won.get('content-visibility') === 'hidden') return 'display';
  if (isFaint(won.get('opacity')) || /opacity\(\s*0(?:\.0\d*)?%?\s*\)/.test(won.get('filter') ?? ''))
    return 'opacity';
  if (hasNoSize(element, display, won)) return 'size';
  return isAway(won) ? 'place' : null;
}

function isFaint(value: string | undefined): boolean {
  const number = Number.parseFloat(value ?? '1');
  return (value?.endsWith('%') ? number / 100 : number) < 0.1;
}

const inline = new Set(
  'a abbr b bdi bdo big cite code em font i mark s small span strong sub sup tt u'.split(' '),
);
/** Their content makes them higher than they say. */
const growing = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr', 'td', 'th']);

/** Returns whether an element has no room for its text and cuts what stands out. */
function hasNoSize(element: string, display: string | null, won: Winners): boolean {
  if (growing.has(element) || (inline.has(element) && (display === null || display === 'inline')))
    return false;
  const overflow = ['overflow', 'overflow-x', 'overflow-y'].map((name) => won.get(name) ?? 'visible');
  if (overflow.every((value) => value === 'visible')) return false;
  return ['height', 'max-height', 'width', 'max-width', 'line-height'].some((name) => {
    const value = won.get(name) ?? '';
    return name === 'line-height' ? /^0(?:px|pt|em|%)?$/.test(value) : readLength(value, 16, null) <= 2;
  });
}

/**
 * Returns whether an element is moved far off the page, or cut or shrunk to nothing. A position that `cleanStyles` removes counts, because
 * other programs show the mail with it.
 */
function isAway(won: Winners): boolean {
  const position = won.get('position') ?? 'static';
  const far = (name: string, least: number) => {
    const length = readLength(won.get(name) ?? '', 16, 1_280);
    return length <= -least || length >= 3_000;
  };
  if (position !== 'static' && ['left', 'right', 'top', 'bottom'].some((name) => far(name, 300))) return true;
  if (['text-indent', 'margin-left', 'margin-top'].some((name) => far(name, 500))) return true;
  if (/-\d{3,}(?:px|pt|em)/.test(won.get('margin') ?? '')) return true;
  if (
    /translate[^)]*-\d{4,}|translate[^)]*-\d{3,}(?:%|v[wh]|r?em)|scale[^(]*\(\s*0(?:\.0\d*)?\s*[,)]/.test(
      won.get('transform') ?? '',
    )
  )
    return true;
  if (/^0(?:\.0\d*)?%?$/.test(won.get('scale') ?? '') || /^0(?:\.0\d*)?%?$/.test(won.get('zoom') ?? ''))
    return true;
  const isClipped =
    /absolute|fixed|removed/.test(position) &&
    /\brect\(\s*[01](?:px)?[\s,]+[01](?:px)?/.test(won.get('clip') ?? '');
  return isClipped || /inset\(\s*(?:[5-9]\d|100)(?:\.\d+)?%|circle\(\s*0/.test(won.get('clip-path') ?? '');
}

/** Returns a length in CSS pixels, or NaN if it is unknown. `whole` is the length of 100 %. */
function readLength(value: string, fontSize: number, whole: number | null): number {
  const [, digits, unit = ''] =
    /^(-?(?:\d+\.?\d*|\.\d+))(px|pt|pc|in|cm|mm|r?em|ex|ch|v[wh]|%)?$/.exec(value) ?? [];
  if (digits === undefined) return Number.NaN;
  const number = Number(digits);
  if (unit === '%') return whole === null ? Number.NaN : (number / 100) * whole;
  const factors: Record<string, number> = {
    pt: 4 / 3,
    pc: 16,
    in: 96,
    cm: 37.8,
    mm: 3.78,
    vw: 12.8,
    vh: 8,
    rem: 16,
  };
  if (unit === 'em') return number * fontSize;
  if (unit === 'ex' || unit === 'ch') return (number * fontSize) / 2;
  return number * (factors[unit] ?? 1);
}

const sizes: Record<string, number> = {
  'xx-small': 9,
  'x-small': 10,
  small: 13,
  medium: 16,
  large: 18,
  'x-large': 24,
  'xx-large': 32,
  initial: 16,
};

/** The shorthand and the property replace each other: the one that won later counts. */
function readFontSize(outer: number, won: Winners): number {
  let size = outer;
  for (const [property, value] of won) {
    if (property === 'font-size') size = readSize(value, outer) ?? size;
    if (property !== 'font') continue;
    const word = value
      .split(/\s+/)
      .find((one) => /^[.\d][\w.%]*(?:\/|$)/.test(one) && !/^[1-9]00$/.test(one));
    size = (word === undefined ? null : readSize(word.replace(/\/.*$/, ''), outer)) ?? size;
  }
  return size;
}

function readSize(value: string, outer: number): number | null {
  if (sizes[value] !== undefined) return sizes[value];
  if (/^calc\(\s*0|^(?:min|clamp)\(\s*0/.test(value)) return 0;
  const length = readLength(value, outer, outer);
  // Browsers ignore a number without a unit, except for 0.
  const isBare = /^\d*\.?\d+$/.test(value) && length !== 0;
  return Number.isNaN(length) || isBare ? null : length;
}

const linkColour: Colour = [0, 0, 238];

function readColourOrInherit(
  outer: Colour | null,
  element: string,
  attributes: Attributes,
  won: Winners,
): Colour | null {
  const own = won.get('-webkit-text-fill-color') ?? won.get('color') ?? attributeColour(element, attributes);
  const isLink = element === 'a' && attributes.href !== undefined;
  if (own === undefined) return isLink ? linkColour : outer;
  const parsed = parseColour(own);
  if (parsed === null) return outer;
  return parsed.alpha < 0.1 ? null : parsed.colour;
}

function attributeColour(element: string, { color, text }: Attributes): string | undefined {
  if (element === 'font') return color;
  return element === 'body' ? text : undefined;
}

function findBackdrop(
  outer: Colour | null,
  { bgcolor, background }: Attributes,
  won: Winners,
): Colour | null {
  let found = background !== undefined && background.trim() !== '' ? null : outer;
  const plain = bgcolor === undefined ? null : parseColour(bgcolor);
  if (plain !== null && found !== null) found = plain.colour;
  for (const [property, value] of won) {
    if (!property.startsWith('background')) continue;
    if (/url\(|gradient\(|image/.test(value)) return null;
    const word = property === 'background' ? colourIn(value) : value;
    const parsed = parseColour(word);
    if (parsed !== null) found = parsed.alpha < 0.5 ? found : parsed.colour;
    else if (/var\(/.test(value)) found = null;
  }
  return found;
}

function colourIn(value: string): string {
  return (
    /(?:rgb|hsl)a?\([^()]*\)/.exec(value)?.[0] ?? value.split(/\s+/).find((word) => parseColour(word)) ?? ''
  );
}
