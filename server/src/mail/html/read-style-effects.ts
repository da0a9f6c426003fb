/*
 * Reads which rules of a style sheet show, hide or add text. Without a browser, it cannot tell for sure which of them apply, so it errs
 * on the side of more that may.
 */

import { type Declaration, readDeclarations } from './css.ts';
import { isOfDesktop } from './css-values.ts';

/** The ways to hide text that are recognised. Each is shown again by another value of the same one. */
export type Way = 'display' | 'visibility' | 'opacity' | 'size' | 'place' | 'font' | 'colour' | 'outlook';

/** The effect of declarations on the text of an element. */
export type Effect = Partial<Record<Way, 'hides' | 'shows'>>;

/**
 * A part of a selector without combinators: the name of an element, if there is one, ids and classes with `#` or `.` before them, and
 * attributes.
 */
export interface Compound {
  element: string | null;
  names: string[];
  attributes: { name: string; how: string; value: string }[];
}

/** A rule that shows or hides text. */
export interface StyleRule {
  subject: Compound;
  ancestors: Compound[];
  /** The elements that must precede others. */
  beside: Compound[];
  /** Whether it depends on the screen, the printer, the mail program or the pointer. */
  isConditional: boolean;
  /** Whether it counts on the screen of a desktop computer. */
  isApplied: boolean;
  effect: Effect;
  declarations: readonly Declaration[];
  /** Its weight against other rules (CSS Cascade, section 6). */
  specificity: number;
  order: number;
}

/** The effects of style sheets on the text of a mail. */
export interface StyleEffects {
  rules: StyleRule[];
  /** Texts that style sheets add. */
  added: string[];
  /** Whether there is more to compare than is compared. */
  cut: boolean;
}

const rulesMax = 5_000;
const tokens = /"(?:[^"\\]|\\[\s\S])*"|\([^(){}]*\)|[{};]|[^"{};()]+|[()]/g;
/** Media queries that match any screen. */
const plainMedia = /^(?:@layer\b|@media\s*(?:only\s+)?(?:all|screen)?\s*$)/i;
const dependent = /:(?:hover|checked|focus|target|active|visited|disabled|invalid|valid|placeholder)/i;
/** Its value is not looked up: a rule that hides counts for all elements that are otherwise named. */
const undecided = /:(?:not|has|is|where|first|last|nth|only|empty)\b|[+~](?!=)/i;
/** Neither has text of the mail. */
const pseudoElement = /::|:(?:before|after|first-line|first-letter)\b/i;
const attributePattern = /\[\s*([\w-]+)\s*(?:([~*^$|]?=)\s*"?([^"\]]{0,200})"?[^\]]{0,9})?\]/g;
const addingText =
  /^(?:content|quotes|list-style(?:-type)?|text-overflow|text-emphasis(?:-style)?|--[\s\S]*)$/i;

interface Place {
  selectors: string;
  isConditional: boolean;
  isApplied: boolean;
}

/** Reads style sheets that `cleanStyles` has written, each with its media. */
export function readStyleEffects(sheets: { css: string; media: string }[]): StyleEffects {
  const found: StyleEffects = { rules: [], added: [], cut: false };
  for (const { css, media } of sheets) {
    const prelude = `@media ${media}`;
    const isConditional = media !== '' && !plainMedia.test(prelude);
    const outer = { selectors: '', isConditional, isApplied: !isConditional || isOfDesktop(prelude) };
    readBlocks(css.replaceAll('/**/', ' '), outer, found);
  }
  return found;
}

function readBlocks(css: string, outer: Place, found: StyleEffects): void {
  const places: (Place & { declared: string[] })[] = [{ ...outer, declared: [] }];
  let text = '';
  for (const [token] of css.matchAll(tokens)) {
    const place = places.at(-1);
    if (place === undefined) return;
    if (token === '{') {
      places.push({ ...placeIn(place, text.trim()), declared: [] });
      text = '';
    } else if (token === ';' || token === '}') {
      place.declared.push(text);
      text = '';
      if (token === '}') addRules(place, found);
      // A brace too many is ignored.
      if (token === '}' && places.length > 1) places.pop();
    } else text += token;
  }
  for (const place of places) addRules({ ...place, declared: [...place.declared, text] }, found);
}

function placeIn(outer: Place, prelude: string): Place {
  if (!prelude.startsWith('@')) return { ...outer, selectors: prelude };
  if (/^@removed|keyframes/i.test(prelude)) return { ...outer, selectors: '' };
  const isPlain = plainMedia.test(prelude);
  return {
    ...outer,
    isConditional: outer.isConditional || !isPlain,
    isApplied: outer.isApplied && (isPlain || isOfDesktop(prelude)),
  };
}

function addRules(
  { selectors, isConditional, isApplied, declared }: Place & { declared: string[] },
  found: StyleEffects,
): void {
  if (selectors === '') return;
  found.added.push(...addedTexts(declared));
  const text = declared.join(';');
  const [effect, declarations] = [readEffect(text), readDeclarations(text)];
  if (Object.keys(effect).length === 0 && declarations.length === 0) return;
  for (const selector of selectors.replaceAll(/\([^()]*\)/g, '').split(',')) {
    if (found.rules.length >= rulesMax) {
      found.cut = true;
      return;
    }
    if (pseudoElement.test(selector)) continue;
    const compounds = splitCompounds(selector);
    const [subject, ...ancestors] = compounds;
    if (!subject) continue;
    const [depends, isUndecided] = [dependent.test(selector), undecided.test(selector)];
    const onlyHides = Object.values(effect).every((one) => one === 'hides');
    found.rules.push({
      subject,
      ancestors,
      beside: readBeside(selector),
      isConditional: isConditional || depends || isUndecided,
      isApplied: isApplied && !depends && (!isUndecided || onlyHides),
      effect,
      declarations,
      order: found.rules.length,
      specificity: compounds.reduce((sum, one) => sum + weighSelector(one), 0),
    });
  }
}

/** Returns the compound parts of a selector, the last one first, without sibling parts. */
function splitCompounds(selector: string): Compound[] {
  const closed = selector.replaceAll(attributePattern, (whole) =>
    whole.replaceAll(/\s|[>+~](?!=)/g, '\u0001'),
  );
  const parts = closed.replaceAll(/\s*([+~])(?!=)\s*/g, '$1').split(/[\s>]+/);
  return parts
    .flatMap((part) => readCompound((part.split(/[+~](?!=)/).at(-1) ?? '').replaceAll('\u0001', ' ')) ?? [])
    .reverse();
}

/** Returns the parts of a selector that are followed by `+` or `~`. */
function readBeside(selector: string): Compound[] {
  if (!/[+~]/.test(selector)) return [];
  return [...selector.matchAll(/([^\s>+~]+)\s*[+~](?!=)/g)].flatMap(
    ([, part = '']) => readCompound(part) ?? [],
  );
}

function readCompound(text: string): Compound | null {
  if (text === '' || text === '&') return null;
  const plain = text.replaceAll(attributePattern, '').replaceAll(/::?[\w-]+/g, '');
  return {
    element: /^[a-z][\w-]*/i.exec(plain)?.[0].toLowerCase() ?? null,
    names: plain.toLowerCase().match(/[.#](?:[\w\u0080-\uffff-]|\\[0-9a-f]{1,6} ?)+/gi) ?? [],
    attributes: [...text.matchAll(attributePattern)].map(([, name = '', how = '', value = '']) => ({
      name: name.toLowerCase(),
      how,
      value: value.trim(),
    })),
  };
}

function weighSelector({ element, names, attributes }: Compound): number {
  const ids = names.filter((name) => name.startsWith('#')).length;
  return 10_000 * ids + 100 * (names.length - ids + attributes.length) + (element === null ? 0 : 1);
}

function addedTexts(declared: string[]): string[] {
  return declared.flatMap((one) => {
    const [, property = '', value = ''] = /^\s*([\w-]+)\s*:([\s\S]*)$/.exec(one) ?? [];
    return addingText.test(property)
      ? [...value.matchAll(/"((?:[^"\\]|\\[\s\S])*)"|attr\([^)]*\)/g)].map(([all, text]) =>
          decoded(text ?? all),
        )
      : [];
  });
}

function decoded(text: string): string {
  return text.replaceAll(/\\([0-9a-f]{1,6}) ?/gi, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
}

const far = /-\d{3,}|scale[^(]*\(\s*0|\brect\(|inset\(/i;
const tests: Record<string, (value: string) => [Way, boolean]> = {
  display: (value) => ['display', /\bnone\b/i.test(value)],
  visibility: (value) => ['visibility', /\b(?:hidden|collapse)\b/i.test(value)],
  opacity: (value) => ['opacity', Number.parseFloat(value) < 0.1],
  'font-size': (value) => [
    'font',
    /^[0-2](?:\.\d+)?(?:px|pt)?\b/i.test(value) && !/^[12](?:\.\d+)?$/.test(value),
  ],
  font: (value) => ['font', /(?:^|\s)0(?:px|pt|em|rem|%)?(?:\s|\/)/i.test(value)],
  color: (value) => ['colour', /\btransparent\b|,\s*0(?:\.0+)?\s*\)/i.test(value)],
  position: () => ['place', false],
  'mso-hide': (value) => ['outlook', /\ball\b/i.test(value)],
};
for (const name of ['height', 'max-height', 'width', 'max-width'])
  tests[name] = (value) => ['size', /^0(?:\D|$)/.test(value)];
for (const name of [
  'text-indent',
  'left',
  'right',
  'top',
  'bottom',
  'margin',
  'margin-left',
  'margin-top',
  'transform',
  'clip',
  'clip-path',
])
  tests[name] = (value) => ['place', far.test(value)];

/** Returns what declarations, such as those of a `style` attribute, do to the text of an element. */
export function readEffect(declarations: string): Effect {
  const effect: Effect = {};
  for (const one of declarations.split(';')) {
    const [, property = '', value = ''] = /^\s*([\w-]+)\s*:\s*([\s\S]*)$/.exec(one) ?? [];
    const found = tests[property.toLowerCase()]?.(value.trim());
    if (found === undefined) continue;
    const [way, hides] = found;
    // Several properties have one of these ways, and each of them hides alone.
    const stays = (way === 'size' || way === 'place') && effect[way] === 'hides';
    effect[way] = hides || stays ? 'hides' : 'shows';
  }
  return effect;
}
