import type { FilterName, ParsedQuery, QueryFilter } from '../text/parsed-query.ts';
import { queryTerms } from '../text/query-terms.ts';
import { inflectedLexemes } from '../text/stem-of.ts';
import {
  allOfParts,
  anyLexeme,
  anyOfParts,
  inSubject,
  nextToEachOther,
  noneOf,
  oneLexeme,
} from './lexeme-query.ts';

type TextOperator = Exclude<FilterName, 'label' | 'in'>;

const facetOf = { from: 'f', to: 't', subject: 's', filename: 'n' } as const satisfies Record<
  TextOperator,
  string
>;

/** Returns the tsqueries of the operators that the index itself answers: each has to match. */
export function planOperators(parsed: ParsedQuery): string[] {
  const { hasAttachment, direction } = parsed;
  const parts = (Object.keys(facetOf) as TextOperator[]).flatMap((operator) =>
    parsed[operator].flatMap((filter) => ofFilter(operator, filter)),
  );
  if (hasAttachment !== undefined) parts.push(withAttachment(hasAttachment));
  if (direction !== undefined) parts.push(oneLexeme(`is:${direction}`));
  return parts;
}

/** Returns the tsquery of messages with files, or of those without. */
export function withAttachment(has: boolean): string {
  const part = oneLexeme('has:attachment');
  return has ? part : noneOf(part);
}

/** Returns the tsquery of the messages of an inbox. */
export function inInbox(inboxId: string): string {
  return oneLexeme(`in:${inboxId}`);
}

/** A value without any letter or digit restricts nothing. */
function ofFilter(operator: TextOperator, { value, phrase, not }: QueryFilter): string[] {
  const terms = queryTerms({ operator: null, value, phrase, not, raw: value, last: false });
  if (terms.length === 0) return [];
  const part = allOfParts(terms.map(({ words, whole }) => ofWords(operator, words, whole, phrase)));
  return [not ? noneOf(part) : part];
}

function ofWords(operator: TextOperator, words: string[], whole: string | null, phrase: boolean): string {
  const facet = facetOf[operator];
  // Facets have no places, but the words of the subject have a weight of their own.
  if (operator === 'subject' && phrase) return nextToEachOther(words.map(inSubject));
  const forms = operator === 'subject' ? inflectedLexemes : (word: string) => [word];
  const all = allOfParts(words.map((word) => anyLexeme(forms(word).map((form) => `${facet}:${form}`))));
  if (whole === null) return all;
  const one = oneLexeme(`${facet}:${whole}`);
  // Someone else's address may have the same words, such as example.com.test.
  return /[@.]/.test(whole) ? one : anyOfParts([one, all]);
}
