import type { ClauseText } from './parsed-query.ts';

const values = new Set(['from', 'to', 'subject', 'label', 'filename', 'in', 'after', 'before']);
const closing: Record<string, string> = { '"': '"', '“': '”', '„': '“', '«': '»' };
const space = /\s/;

/** Returns the parts of a query in their order. Everything is a part; an operator that is unknown or has no value is words. */
export function splitQuery(query: string): ClauseText[] {
  const clauses: ClauseText[] = [];
  let at = 0;
  while (at < query.length) {
    if (space.test(query[at]!)) {
      at += 1;
      continue;
    }
    const { clause, end } = readClause(query, at);
    clauses.push(clause);
    at = end;
  }
  return clauses;
}

function readClause(query: string, from: number): { clause: ClauseText; end: number } {
  const not = query[from] === '-' && from + 1 < query.length && !space.test(query[from + 1]!);
  const start = not ? from + 1 : from;
  const colon = operatorEnd(query, start);
  const named = colon === null ? null : query.slice(start, colon - 1).toLowerCase();
  const { value, phrase, end } = readValue(query, colon ?? start);
  const raw = query.slice(from, end);
  const operator = named === null ? null : operatorOf(named, value);
  const last = end === query.length && !phrase;
  if (operator === null && named !== null) {
    const words = readWord(query, start);
    return {
      clause: {
        operator,
        value: words.value,
        phrase: false,
        not,
        raw: query.slice(from, words.end),
        last: words.end === query.length,
      },
      end: words.end,
    };
  }
  return { clause: { operator, value, phrase, not, raw, last }, end };
}

function operatorEnd(query: string, start: number): number | null {
  for (let at = start; at < query.length && at - start <= 'filename'.length; at += 1) {
    if (query[at] === ':') return at > start ? at + 1 : null;
    if (!/[a-z]/i.test(query[at]!)) return null;
  }
  return null;
}

function operatorOf(name: string, value: string): ClauseText['operator'] {
  if (name === 'has') return /^attachments?$/i.test(value) ? 'has' : null;
  if (name === 'is') return /^(?:inbound|outbound)$/i.test(value) ? 'is' : null;
  return values.has(name) && value.trim() !== '' ? (name as ClauseText['operator']) : null;
}

function readValue(query: string, start: number): { value: string; phrase: boolean; end: number } {
  const close = closing[query[start] ?? ''];
  if (close === undefined) return { ...readWord(query, start), phrase: false };
  const found = query.indexOf(close, start + 1);
  const end = found === -1 ? query.length : found;
  return { value: query.slice(start + 1, end), phrase: true, end: Math.min(end + 1, query.length) };
}

function readWord(query: string, start: number): { value: string; end: number } {
  let end = start;
  while (end < query.length && !space.test(query[end]!)) end += 1;
  return { value: query.slice(start, end), end };
}
