import { cleanText } from '../../lib/clean-text.ts';
import { parseMoment } from './parse-moment.ts';
import type { ClauseText, ParsedQuery, QueryTerm } from './parsed-query.ts';
import { queryTerms } from './query-terms.ts';
import { splitQuery } from './split-query.ts';
import { isStopWord } from './stop-words.ts';

const termsMax = 32;

/**
 * Returns what a query asks for. Everything that is not an operator is words. Throws `invalid_request` for an `after:` or `before:` without a date
 * that exists.
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
    terms.push(...queryTerms(clause));
    if (!clause.not) said.push(clause.value);
  }
  parsed.terms = leaveOutStopWords(terms).slice(0, termsMax);
  parsed.text = said.join(' ').trim();
  return parsed;
}

function applyOperator(parsed: ParsedQuery, clause: ClauseText): boolean {
  const { operator, value, phrase, not } = clause;
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
    case 'before': {
      const moment = parseMoment(operator, value);
      const side = (operator === 'after') !== not ? 'after' : 'before';
      const known = parsed[side];
      if (known === undefined || (side === 'after' ? moment > known : moment < known)) parsed[side] = moment;
      return true;
    }
    default:
      parsed[operator].push({ value, phrase, not });
      return true;
  }
}

function leaveOutStopWords(terms: QueryTerm[]): QueryTerm[] {
  const kept = terms.filter((term) => term.not || term.kind !== 'word' || !isStopWord(term.words[0]!));
  return kept.some((term) => !term.not) ? kept : terms;
}
