import { readDeclarations } from './css.ts';
import { hiddenBy, type PageStyle, pickWinners, rootStyle, styleIn } from './page-style.ts';
import type { Attributes } from './read-elements.ts';
import {
  type Compound,
  type Effect,
  readEffect,
  type StyleEffects,
  type StyleRule,
} from './read-style-effects.ts';

/**
 * The readers to whom the styles of an element show its text: everybody, nobody, or all but those with Outlook. `revealed` text is hidden
 * on the page of the mail and shown to some readers, and `concealed` text is shown on the page and hidden from some.
 */
export type Visibility = 'always' | 'never' | 'revealed' | 'concealed' | 'not_outlook';

/** An element of a mail, as selectors see it. */
export interface StyledElement {
  element: string;
  attributes: Attributes;
}

/** The readers who see the text of an element, and the style that elements in it have from it. */
export interface Sight {
  visibility: Visibility;
  style: PageStyle;
}

/** Returns who sees the text of an element, from its attributes, the elements that it is in, and the sight of the innermost of those. */
export type FindSight = (
  element: string,
  attributes: Attributes,
  outer: readonly StyledElement[],
  around: Sight,
) => Sight;

/** The sight of text that is in no element. */
export const openSight: Sight = { visibility: 'always', style: rootStyle };

/** Returns whether the page of the mail shows the text. */
export function isOnPage({ visibility }: Sight): boolean {
  return visibility !== 'never' && visibility !== 'revealed';
}

/** A hostile mail may have thousands of elements in each other, and as many classes for each of them. */
const comparisonsMax = 3_000_000;
const inlineWeight = 1_000_000;
/** The part of a rule, or of a `style` attribute, that the cascade needs. */
type PageRule = Pick<StyleRule, 'declarations' | 'specificity' | 'order'>;

const noRules: { page: PageRule[]; always: Effect[]; sometimes: Effect[] } = {
  page: [],
  always: [],
  sometimes: [],
};

/**
 * Returns a function that finds who sees the text of an element. `all` are the elements of the mail. If a selector also names other
 * elements, a mail program adds those, so the rule may apply there. If this takes too many comparisons, it sets `cut`, and nobody counts as
 * seeing the rest.
 */
export function sightIn(effects: StyleEffects, all: readonly StyledElement[]): FindSight {
  let left = effects.cut ? 0 : comparisonsMax;
  const compare = (one: Compound, other: StyledElement) => {
    left -= 1;
    return left >= 0 && matches(one, other);
  };
  const isKnown = memoized((one: Compound) => all.some((other) => compare(one, other)));
  const byKey = Map.groupBy(effects.rules, ({ subject }) => subject.names[0] ?? subject.element ?? '*');
  const findStyle = rememberStyles();
  /** The neighbours that rules name, and that have not been there yet. */
  const awaited = new Set(effects.rules.flatMap(({ beside }) => beside));

  /** Returns the rules that apply to an element on the page, and those that apply for some readers. */
  const rulesFor = (element: string, attributes: Attributes, outer: readonly StyledElement[]) => {
    const [page, always, sometimes]: [PageRule[], Effect[], Effect[]] = [[], [], []];
    if (byKey.size > 0)
      for (const key of ['*', element, ...listNames(attributes)])
        for (const rule of byKey.get(key) ?? []) {
          const { subject, ancestors, beside, isConditional, isApplied, effect } = rule;
          if (!compare(subject, { element, attributes })) continue;
          const missing = ancestors.filter((one) => !outer.some((other) => compare(one, other)));
          if (missing.length === 0) {
            if (isApplied && !beside.some((one) => awaited.has(one))) page.push(rule);
            (isConditional ? sometimes : always).push(effect);
          } else if (subject.names.length > 0 || !missing.every(isKnown)) sometimes.push(effect);
        }
    for (const one of awaited) if (compare(one, { element, attributes })) awaited.delete(one);
    return { page, always, sometimes };
  };

  return (element, attributes, outer, around) => {
    const { page, always, sometimes } = left > 0 ? rulesFor(element, attributes, outer) : noRules;
    if (left <= 0) {
      effects.cut = true;
      return { visibility: 'revealed', style: { ...around.style, gone: 'display' } };
    }
    if (page.length + sometimes.length === 0 && isPlain(element, attributes)) return sightInside(around);
    const own = findStyle(attributes.style ?? '');
    if (own.declarations.length > 0) page.push(own);
    const won = pickWinners(page.length > 1 ? page.toSorted((a, b) => a.order - b.order) : page);
    const style = styleIn(around.style, element, attributes, won);
    return { visibility: decide({ around, style, always: [...always, own.effect], sometimes }), style };
  };
}

const styledElements = new Set(['a', 'body', 'font', 'pre']);
const stylingAttributes = ['style', 'hidden', 'bgcolor', 'background'];

/** Returns whether only rules can change how the text of an element looks. */
function isPlain(element: string, attributes: Attributes): boolean {
  return !styledElements.has(element) && stylingAttributes.every((name) => attributes[name] === undefined);
}

function sightInside(around: Sight): Sight {
  const { visibility, style } = around;
  if (style.display === null && (visibility === 'always' || !isOnPage(around))) return around;
  return { visibility: isOnPage(around) ? 'always' : visibility, style: { ...style, display: null } };
}

function decide({
  around,
  style,
  always,
  sometimes,
}: {
  around: Sight;
  style: PageStyle;
  always: Effect[];
  sometimes: Effect[];
}): Visibility {
  if (around.style.gone !== null) return around.visibility;
  const way = hiddenBy(style);
  if (way !== null) {
    if (sometimes.some((effect) => effect[way] === 'shows')) return 'revealed';
    return hiddenBy(around.style) === way ? around.visibility : 'never';
  }
  const touched = new Set(sometimes.flatMap((effect) => Object.keys(effect)));
  const maybe = [
    ...listWays(sometimes, 'hides'),
    ...listWays(always, 'hides').filter((one) => one === 'outlook' || touched.has(one)),
  ];
  if (maybe.length === 0) return 'always';
  return maybe.every((one) => one === 'outlook') ? 'not_outlook' : 'concealed';
}

function listWays(effects: Effect[], what: 'hides' | 'shows'): (keyof Effect)[] {
  return effects.flatMap((effect) =>
    (Object.keys(effect) as (keyof Effect)[]).filter((way) => effect[way] === what),
  );
}

interface OwnStyle extends PageRule {
  effect: Effect;
}

const stylesRememberedMax = 5_000;

/** Returns a function that reads `style` attributes, which repeat themselves in a mail. */
function rememberStyles(): (text: string) => OwnStyle {
  const known = new Map<string, OwnStyle>();
  return (text) => {
    const found = known.get(text) ?? {
      declarations: readDeclarations(text),
      effect: readEffect(text),
      specificity: inlineWeight,
      order: Number.MAX_SAFE_INTEGER,
    };
    if (known.size < stylesRememberedMax) known.set(text, found);
    return found;
  };
}

function matches({ element, names, attributes }: Compound, other: StyledElement): boolean {
  if (element !== null && element !== other.element) return false;
  const own = listNames(other.attributes);
  return (
    names.every((name) => own.has(name)) && attributes.every((one) => hasAttribute(other.attributes, one))
  );
}

function hasAttribute(attributes: Attributes, { name, how, value }: Compound['attributes'][number]): boolean {
  const own = attributes[name];
  if (own === undefined) return false;
  if (how === '') return true;
  if (how === '=') return own === value;
  return how === '~=' ? own.split(/\s+/).includes(value) : own.includes(value);
}

function memoized<Key extends object>(find: (key: Key) => boolean): (key: Key) => boolean {
  const found = new Map<Key, boolean>();
  return (key) => {
    const known = found.get(key) ?? find(key);
    found.set(key, known);
    return known;
  };
}

const namesFound = new WeakMap<Attributes, ReadonlySet<string>>();

/** In lower case, because old programs compare them that way. */
function listNames(attributes: Attributes): ReadonlySet<string> {
  const known = namesFound.get(attributes);
  if (known) return known;
  const { class: classes = '', id } = attributes;
  const names =
    classes
      .toLowerCase()
      .match(/\S+/g)
      ?.map((one) => `.${one}`) ?? [];
  const found = new Set(id === undefined ? names : [...names, `#${id.toLowerCase()}`]);
  namesFound.set(attributes, found);
  return found;
}
