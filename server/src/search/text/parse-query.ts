import { invalidField } from '../../lib/api-error.ts';
import { cleanText } from '../../lib/texts.ts';
import type { ClauseText, ParsedQuery, QueryTerm } from './query-terms.ts';
import { queryTerms } from './query-terms.ts';

const stopWordLists = [
  // English
  'a an the and or but if of at by for with about to from in on up out off over under is are was were be been being am do does did have has had',
  'i me my we our us you your he him his she her it its they them their this that these those as so not no nor than then too very can will just',
  'what which who whom whose how when where why',
  // German
  'der die das den dem des ein eine einer eines einem einen und oder aber ist sind war im in am zu zum zur von vom mit auf fur bei aus nach als auch nicht ich du er sie es wir ihr mein dein was wann wo wie wer warum',
  // French
  'le la les un une des du de et ou est sont dans sur pour par avec ce cette ces que qui ne pas il elle nous vous ils je tu au aux se sa son ses l d quand comment quoi',
  // Spanish and Portuguese
  'el los las una unos unas y o del al es son en con por para que se su sus lo como no mi tu os as um uma e do da dos das no na nos nas ao com seu sua cuando donde quien',
  // Italian
  'il lo gli i uno di che non per una sono della del dei delle nel nella',
  // Dutch
  'het een van ik te dat op aan met voor zijn er maar om hem dan zou of wat mijn men dit zo door over ze',
];

const stopWords = new Set(stopWordLists.flatMap((words) => words.split(' ')));

const momentShape = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/i;

const termsMax = 32;

/**
 * Returns the parsed query. Everything that is not an operator is words. Throws `invalid_request` for an `after:` or `before:` without a
 * date that exists.
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

/** If one side has several moments, the most restrictive one counts. */
function narrowTime(parsed: ParsedQuery, side: 'after' | 'before', moment: Date): void {
  const earlier = parsed[side];
  const isNarrower = earlier === undefined || (side === 'after' ? moment > earlier : moment < earlier);
  if (isNarrower) parsed[side] = moment;
}

function leaveOutStopWords(terms: QueryTerm[]): QueryTerm[] {
  const kept = terms.filter((term) => term.not || term.kind !== 'word' || !isStopWord(term.words[0]!));
  return kept.some((term) => !term.not) ? kept : terms;
}

/**
 * Returns the moment that an `after:` or `before:` names. A date alone is its first moment in UTC. Throws `invalid_request` for anything
 * else.
 */
function parseMoment(operator: 'after' | 'before', value: string): Date {
  const day = momentShape.exec(value)?.[1];
  const moment = new Date(value);
  const isReal = day !== undefined && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day);
  if (!isReal || Number.isNaN(moment.getTime())) {
    throw invalidField(
      'query',
      `\`${operator}:\` takes a date that exists, such as ${operator}:2026-03-01 or ${operator}:2026-03-01T09:00:00Z.`,
    );
  }
  return moment;
}

/** Returns whether a folded word is so common in a language of mail that a query is better off without it. */
function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

const withValue = new Set(['from', 'to', 'subject', 'label', 'filename', 'in', 'after', 'before']);
const nameLengthMax = 8;
const quotes = new Set(['"', '“', '”', '„', '«', '»', '＂']);
const space = /\s/;
const letter = /[a-z]/i;

interface ReadClause {
  clause: ClauseText;
  end: number;
}

/**
 * Returns the parts of a query in their order. Everything is a part of it; an operator that is unknown or has no value is words. Words
 * that follow each other are one part.
 */
function splitQuery(query: string): ClauseText[] {
  const clauses: ClauseText[] = [];
  let wordsFrom: number | null = null;
  let at = 0;
  while (at < query.length) {
    if (space.test(query[at]!)) {
      at += 1;
      continue;
    }
    const { clause, end } = readClause(query, at);
    const isWords = clause.operator === null && !clause.phrase && !clause.not;
    if (isWords && wordsFrom !== null) {
      const value = query.slice(wordsFrom, end);
      clauses[clauses.length - 1] = { ...clause, value, raw: value };
    } else {
      clauses.push(clause);
    }
    wordsFrom = isWords ? (wordsFrom ?? at) : null;
    at = end;
  }
  return clauses;
}

function readClause(query: string, from: number): ReadClause {
  const next = query[from + 1];
  const not = query[from] === '-' && next !== undefined && !space.test(next);
  const start = not ? from + 1 : from;
  return readOperator(query, from, start, not) ?? readWords(query, from, start, not);
}

function readOperator(query: string, from: number, start: number, not: boolean): ReadClause | null {
  let colon = start;
  while (colon - start < nameLengthMax && letter.test(query[colon] ?? '')) colon += 1;
  if (query[colon] !== ':') return null;
  const { value, phrase, end } = readValue(query, colon + 1);
  const operator = knownOperator(query.slice(start, colon).toLowerCase(), value);
  if (operator === null) return null;
  return { clause: { operator, value, phrase, not, raw: query.slice(from, end), last: false }, end };
}

function knownOperator(name: string, value: string): ClauseText['operator'] {
  if (name === 'has') return /^attachments?$/i.test(value) ? 'has' : null;
  if (name === 'is') return /^(?:inbound|outbound)$/i.test(value) ? 'is' : null;
  return withValue.has(name) && value.trim() !== '' ? (name as ClauseText['operator']) : null;
}

function readWords(query: string, from: number, start: number, not: boolean): ReadClause {
  const { value, phrase, end } = readValue(query, start);
  const last = end === query.length && !phrase;
  return { clause: { operator: null, value, phrase, not, raw: query.slice(from, end), last }, end };
}

/** A quotation mark without its counterpart quotes the rest. */
function readValue(query: string, start: number): { value: string; phrase: boolean; end: number } {
  const phrase = quotes.has(query[start] ?? '');
  const from = phrase ? start + 1 : start;
  let end = from;
  while (end < query.length && !(phrase ? quotes.has(query[end]!) : space.test(query[end]!))) end += 1;
  return { value: query.slice(from, end), phrase, end: phrase ? Math.min(end + 1, query.length) : end };
}
