import type { ClauseText } from './parsed-query.ts';

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
export function splitQuery(query: string): ClauseText[] {
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
  const operator = operatorOf(query.slice(start, colon).toLowerCase(), value);
  if (operator === null) return null;
  return { clause: { operator, value, phrase, not, raw: query.slice(from, end), last: false }, end };
}

function operatorOf(name: string, value: string): ClauseText['operator'] {
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
