import type { Language, Person } from './made-mail.ts';
import type { WordLists } from './read-sections.ts';

/** The words of one language, drawn at random. */
export interface WordSource {
  language: Language;
  random(): number;
  lists: WordLists;
}

/** Names and drawn words that stay the same within a mail or a conversation. */
export interface Drawn {
  person: string;
  firm: string;
  /** The words of places such as `{thing*}`. */
  kept: Map<string, string>;
  /** The numbers of this mail. */
  numbers: Map<string, string>;
}

/** Returns an entry of a list. Throws if the list is missing. */
export function drawFrom({ lists, random }: WordSource, name: string): string {
  const list = lists.get(name);
  const entry = list?.[Math.floor(random() * list.length)];
  if (entry === undefined) throw new Error(`There is no list "${name}".`);
  return entry;
}

/** Returns a person of a firm. Entries of names may have their spelling in an address after `=`. */
export function drawPerson(source: WordSource): Person {
  const [given, given2] = spellings(drawFrom(source, 'given'));
  const [family, family2] = spellings(drawFrom(source, 'family'));
  const { domain } = drawFirm(source);
  const isFamilyFirst = ['ja', 'zh', 'ko'].includes(source.language);
  const name = isFamilyFirst ? `${family} ${given}` : `${given} ${family}`;
  return { name, address: `${given2}.${family2}@${domain}` };
}

/** Returns a firm. */
export function drawFirm(source: WordSource): { name: string; domain: string } {
  const [name, spelling] = spellings(drawFrom(source, 'firm'));
  return { name, domain: `${spelling}.example` };
}

function spellings(entry: string): [string, string] {
  const [name = entry, spelling] = entry.split('=');
  return [name, spelling ?? foldName(name)];
}

/** Fills the places of a template: `{list}`, `{list*}` for the same word again, and digits and letters for `#` and `@`. */
export function fillPlaces(template: string, source: WordSource, drawn: Drawn): string {
  return template.replaceAll(/\{([^{}]+)\}/g, (_, place: string) => fillPlace(place, source, drawn));
}

function fillPlace(place: string, source: WordSource, drawn: Drawn): string {
  if (place === 'person') return drawn.person;
  if (place === 'colleague') return drawPerson(source).name;
  if (place === 'firm') return drawn.firm;
  if (place === 'amount') return drawAmount(source);
  if (/[#@]/.test(place))
    return keep(drawn.numbers, place.length >= 7 ? place : null, () => drawNumber(source, place));
  const name = place.replace('*', '');
  const draw = () => fillPlaces(drawFrom(source, name), source, drawn);
  return keep(drawn.kept, place.endsWith('*') ? name : null, draw);
}

function keep(kept: Map<string, string>, key: string | null, draw: () => string): string {
  const value = (key === null ? undefined : kept.get(key)) ?? draw();
  if (key !== null) kept.set(key, value);
  return value;
}

function drawNumber({ random }: WordSource, pattern: string): string {
  return pattern
    .replace('20##', () => `202${4 + Math.floor(random() * 3)}`)
    .replaceAll(/[#@]/g, (place) =>
      place === '#' ? String(Math.floor(random() * 10)) : String.fromCharCode(65 + Math.floor(random() * 26)),
    );
}

function drawAmount({ random, language }: WordSource): string {
  const amount = Math.round(10 ** (1.5 + 2.5 * random()) * 100) / 100;
  return amount.toLocaleString(language === 'en' ? 'en-GB' : language, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
}

/** Returns a name as it is spelled in an address: `Käthe Voß` becomes `kaethe-voss`. */
function foldName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-');
}
