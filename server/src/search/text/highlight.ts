import type { QueryTerm } from './parsed-query.ts';
import { inflectedLexemes } from './stem-of.ts';
import { type Token, tokensOf } from './tokens-of.ts';

const snippetLength = 200;
const readMax = 200_000;

/** A piece of a text with the words that were found. */
export interface Highlight {
  /** About 200 characters on one line, with `**` around each match. `*`, `_`, backtick and backslash of the text have a backslash before them. */
  snippet: string;
  /** Whether any word was found. Without one, the snippet is the beginning of the text. */
  matched: boolean;
}

/** Returns the piece of a text that has most of the terms, with marks around them. */
export function highlight(
  text: string,
  terms: readonly Pick<QueryTerm, 'words' | 'whole' | 'prefix' | 'not'>[],
): Highlight {
  const read = text.slice(0, readMax);
  const wanted = new Map<string, number>();
  const prefixes: [string, number][] = [];
  for (const [index, term] of terms.entries()) {
    if (term.not) continue;
    for (const word of term.words) for (const lexeme of inflectedLexemes(word)) wanted.set(lexeme, index);
    if (term.whole !== null) wanted.set(term.whole, index);
    if (term.prefix) prefixes.push([term.words.at(-1)!, index]);
  }
  const found: { token: Token; term: number }[] = [];
  for (const token of tokensOf(read)) {
    const term = termAt(token, wanted, prefixes);
    if (term !== undefined) found.push({ token, term });
  }
  const from = windowStart(read, found);
  return { snippet: mark(read, from, found), matched: found.length > 0 };
}

function termAt(token: Token, wanted: Map<string, number>, prefixes: [string, number][]): number | undefined {
  for (const word of token.words) {
    for (const lexeme of inflectedLexemes(word)) {
      const term = wanted.get(lexeme);
      if (term !== undefined) return term;
    }
    for (const [prefix, term] of prefixes) if (word.startsWith(prefix)) return term;
  }
  return undefined;
}

function windowStart(text: string, found: { token: Token; term: number }[]): number {
  let best = { start: 0, score: 0 };
  const counts = new Map<number, number>();
  let first = 0;
  for (const [index, { token, term }] of found.entries()) {
    counts.set(term, (counts.get(term) ?? 0) + 1);
    while (first < index && token.end - found[first]!.token.start > snippetLength) {
      const left = found[first]!.term;
      counts.set(left, counts.get(left)! - 1);
      if (counts.get(left) === 0) counts.delete(left);
      first += 1;
    }
    const score = counts.size * 1_000 + (index - first);
    if (score > best.score) best = { start: found[first]!.token.start, score };
  }
  const lead = Math.max(0, best.start - 60);
  if (lead === 0) return 0;
  const space = text.indexOf(' ', lead);
  return space !== -1 && space < best.start ? space + 1 : best.start;
}

function mark(text: string, from: number, found: { token: Token }[]): string {
  const end = Math.min(text.length, from + snippetLength);
  let snippet = '';
  let at = from;
  for (const { token } of found) {
    if (token.start < at || token.end > end) continue;
    snippet += `${escapeText(text.slice(at, token.start))}**${escapeText(text.slice(token.start, token.end))}**`;
    at = token.end;
  }
  return (snippet + escapeText(text.slice(at, end))).toWellFormed().trim();
}

function escapeText(text: string): string {
  return text.replace(/[*_`\\]/g, '\\$&').replace(/\s/g, ' ');
}
