import { cleanText } from '../../lib/clean-text.ts';
import { parseMoment } from './parse-moment.ts';
import type { ClauseText, ParsedQuery, QueryTerm } from './parsed-query.ts';
import { queryTerms } from './query-terms.ts';
import { splitQuery } from './split-query.ts';
import { isStopWord } from './stop-words.ts';

const termsMax = 32;

/**
 * Returns what a query asks for. Everything that is not an operator is words. Throws `invalid_request` for an `after:` or `before:`
 * without a date that exists.
 */
export function parseQuery(query: string): ParsedQuery {
  const parsed: ParsedQuery = {
    terms: [],
    from: [],
    to: [],
    subject: [],
    label: [],
    filename: [],
    in: [],
    text: '',
  };
  const terms: QueryTerm[] = [];
  const said: string[] = [];
  for (const clause of splitQuery(cleanText(query))) {
    if (applyOperator(parsed, clause)) continue;
    for (const term of queryTerms(clause)) terms.push(term);
    if (!clause.not) said.push(clause.value);
  }
  parsed.terms = leaveOutStopWords(terms).slice(0, termsMax);
  parsed.text = said.join(' ').trim();
  return parsed;
}

function applyOperator(parsed: ParsedQuery, { operator, value, phrase, not }: ClauseText): boolean {
  switch (operator) {
    case null:
      return false;
    case 'has':
      parsed.hasAttachment = !not;
      return true;
    case 'is':
      parsed.direction = (value.toLowerCase() === 'inbound') !== not ? 'inbound' : 'outbound';
      return true;
    case 'after':
    case 'before':
      narrowTime(parsed, (operator === 'after') !== not ? 'after' : 'before', parseMoment(operator, value));
      return true;
    default:
      parsed[operator].push({ value, phrase, not });
      return true;
  }
}

/** Of several moments on one side, the one that leaves the least counts. */
function narrowTime(parsed: ParsedQuery, side: 'after' | 'before', moment: Date): void {
  const known = parsed[side];
  const isNarrower = known === undefined || (side === 'after' ? moment > known : moment < known);
  if (isNarrower) parsed[side] = moment;
}

function leaveOutStopWords(terms: QueryTerm[]): QueryTerm[] {
  const kept = terms.filter((term) => term.not || term.kind !== 'word' || !isStopWord(term.words[0]!));
  return kept.some((term) => !term.not) ? kept : terms;
}
