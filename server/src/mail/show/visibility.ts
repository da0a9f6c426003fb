import type { Attributes } from './clean-attributes.ts';
import { type Compound, type Effect, effectOf, type StyleEffects } from './read-style-effects.ts';

/**
 * The readers to whom the styles of an element show its text: everybody, nobody, or all but those with Outlook. `revealed` text is hidden on the
 * page of the mail and shown to some readers, and `concealed` text is shown on the page and hidden from some.
 */
export type Visibility = 'always' | 'never' | 'revealed' | 'concealed' | 'not_outlook';

/** An element of a mail, as selectors see it. */
export interface StyledElement {
  element: string;
  attributes: Attributes;
}

/** Returns who sees the text of an element, from its attributes and the elements that it is in. */
export type FindVisibility = (
  element: string,
  attributes: Attributes,
  outer: readonly StyledElement[],
) => Visibility;

/** A hostile mail may have thousands of elements in each other, and as many classes for each of them. */
const comparisonsMax = 3_000_000;

/**
 * Returns a function that finds who sees the text of an element. `all` are the elements of the mail: what a selector names beside them is added by
 * a mail program, so that the rule may count there. If that takes too many comparisons, it sets `cut`, and everybody counts as seeing the rest.
 */
export function visibilityIn(effects: StyleEffects, all: readonly StyledElement[]): FindVisibility {
  let left = comparisonsMax;
  const compare = (one: Compound, other: StyledElement) => {
    left -= 1;
    return left >= 0 && matches(one, other);
  };
  const isKnown = memoized((one: Compound) => all.some((other) => compare(one, other)));
  const byKey = Map.groupBy(effects.rules, ({ subject }) => subject.names[0] ?? subject.element ?? '*');
  return (element, attributes, outer) => {
    if (left < 0) return 'always';
    const always = [
      effectOf(attributes.style ?? ''),
      ...('hidden' in attributes ? [{ display: 'hides' } as const] : []),
    ];
    const sometimes: Effect[] = [];
    for (const key of ['*', element, ...namesOf(attributes)])
      for (const { subject, ancestors, isConditional, effect } of byKey.get(key) ?? []) {
        if (!compare(subject, { element, attributes })) continue;
        const missing = ancestors.filter((one) => !outer.some((other) => compare(one, other)));
        if (missing.length === 0) (isConditional ? sometimes : always).push(effect);
        else if (subject.names.length > 0 || !missing.every(isKnown)) sometimes.push(effect);
      }
    if (left < 0) effects.cut = true;
    return decide(always, sometimes);
  };
}

function decide(always: Effect[], sometimes: Effect[]): Visibility {
  const all = [...always, ...sometimes];
  const hidden = waysOf(always, 'hides').filter((way) => way !== 'outlook');
  if (hidden.some((way) => all.some((effect) => effect[way] === 'shows'))) return 'revealed';
  if (hidden.length > 0) return 'never';
  const maybe = waysOf(all, 'hides');
  if (maybe.length === 0) return 'always';
  return maybe.every((way) => way === 'outlook') ? 'not_outlook' : 'concealed';
}

function waysOf(effects: Effect[], what: 'hides' | 'shows'): (keyof Effect)[] {
  return effects.flatMap((effect) =>
    (Object.keys(effect) as (keyof Effect)[]).filter((way) => effect[way] === what),
  );
}

function matches({ element, names, attributes }: Compound, other: StyledElement): boolean {
  if (element !== null && element !== other.element) return false;
  const own = namesOf(other.attributes);
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

/** In lower case, since old programs compare them so. */
function namesOf(attributes: Attributes): ReadonlySet<string> {
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
