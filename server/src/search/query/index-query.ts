/*
 * The text of a tsquery consists only of quoted lexemes, and reaches the database as a parameter. A query can thus contain any word, and
 * never becomes an operator.
 */
import type { FilterName, ParsedQuery, QueryFilter } from '../text/query-terms.ts';
import { queryTerms } from '../text/query-terms.ts';
import { inflectedLexemes } from '../text/word-forms.ts';

/** Returns a lexeme as a tsquery has it. */
export function oneLexeme(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** Returns a tsquery that matches a lexeme in the subject only. */
function inSubject(lexeme: string): string {
  return `${oneLexeme(lexeme)}:A`;
}

/** Returns a tsquery that matches if any part does. */
export function anyOfParts(parts: string[]): string {
  return parts.length === 1 ? (parts[0] as string) : `(${parts.join(' | ')})`;
}

/** Returns a tsquery that matches if all parts do. */
export function allOfParts(parts: string[]): string {
  return parts.length === 1 ? (parts[0] as string) : `(${parts.join(' & ')})`;
}

/** Returns a tsquery that matches if the parts stand at places that follow each other. */
export function nextToEachOther(parts: string[]): string {
  return parts.length === 1 ? (parts[0] as string) : `(${parts.join(' <-> ')})`;
}

/** Returns a tsquery that matches if any of these lexemes is there. */
export function anyLexeme(lexemes: string[]): string {
  return anyOfParts(lexemes.map(oneLexeme));
}

/** Returns a tsquery that matches if the part does not. */
export function noPart(part: string): string {
  return `!${part.startsWith('(') || part.startsWith("'") ? part : `(${part})`}`;
}

type TextOperator = Exclude<FilterName, 'label' | 'in'>;

const facetPrefixes = { from: 'f', to: 't', subject: 's', filename: 'n' } as const satisfies Record<
  TextOperator,
  string
>;

/** Conditions that the index itself knows. All of them have to match. */
export interface IndexParts {
  /** Tsqueries. */
  match: string[];
  /** Lexemes of facets that the vocabulary counts. */
  facets: string[];
}

/** Returns the conditions of the operators of a query. */
export function planOperators(parsed: ParsedQuery): IndexParts {
  const { hasAttachment, direction } = parsed;
  const files = planFiles(hasAttachment);
  const match = (Object.keys(facetPrefixes) as TextOperator[]).flatMap((operator) =>
    parsed[operator].flatMap((filter) => ofFilter(operator, filter)),
  );
  const facets = direction === undefined ? [] : [`is:${direction}`];
  return { match: [...match, ...files.match], facets: [...facets, ...files.facets] };
}

/** Returns the conditions of messages with files, or of those without. */
export function planFiles(has: boolean | undefined): IndexParts {
  const facet = 'has:attachment';
  if (has === undefined) return { match: [], facets: [] };
  return has ? { match: [], facets: [facet] } : { match: [noPart(oneLexeme(facet))], facets: [] };
}

/** Returns the facet of the messages of an inbox. */
export function inInbox(inboxId: string): string {
  return `in:${inboxId}`;
}

/** Returns the tsquery of the messages of some inboxes. */
export function inInboxes(inboxIds: string[]): string {
  return anyLexeme(inboxIds.map(inInbox));
}

/** Returns whether a facet is an inbox facet. */
export function isInbox(facet: string): boolean {
  return facet.startsWith('in:');
}

/** A value without any letter or digit restricts nothing. */
function ofFilter(operator: TextOperator, { value, phrase, not }: QueryFilter): string[] {
  const terms = queryTerms({ operator: null, value, phrase, not, raw: value, last: false });
  if (terms.length === 0) return [];
  const part = allOfParts(terms.map(({ words, whole }) => ofWords(operator, words, whole, phrase)));
  return [not ? noPart(part) : part];
}

function ofWords(operator: TextOperator, words: string[], whole: string | null, phrase: boolean): string {
  const facet = facetPrefixes[operator];
  // Facets have no positions, but the words of the subject have their own weight.
  if (operator === 'subject' && phrase) return nextToEachOther(words.map(inSubject));
  const forms = operator === 'subject' ? inflectedLexemes : (word: string) => [word];
  const all = allOfParts(words.map((word) => anyLexeme(forms(word).map((form) => `${facet}:${form}`))));
  if (whole === null) return all;
  const wholeLexeme = oneLexeme(`${facet}:${whole}`);
  // Someone else's address may have the same words, such as example.com.test.
  return /[@.]/.test(whole) ? wholeLexeme : anyOfParts([wholeLexeme, all]);
}
