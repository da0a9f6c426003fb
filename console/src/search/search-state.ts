import type { ListMessages } from 'postrider';

/** The characters of a snippet that are shown before its first match. */
const beforeMatch = 24;

/** The fields of a search in the address, with the values that the address leaves out. */
export const emptySearch = {
  q: '',
  mode: 'keyword',
  inbox: '',
  label: '',
  direction: '',
  after: '',
  before: '',
};
export type SearchState = typeof emptySearch;

/** The modes of a search. */
export const modes = ['keyword', 'semantic', 'hybrid'] as const;

/** Returns the mode of an address, which may name one that does not exist. */
export function readMode({ mode }: SearchState): (typeof modes)[number] {
  return modes.find((each) => each === mode) ?? 'keyword';
}

/** Returns whether a search asks for anything. Without, there is nothing to show. */
export function isAsking({ q, mode: _, ...filters }: SearchState): boolean {
  return q.trim() !== '' || Object.values(filters).some((value) => value !== '');
}

/**
 * Returns the query of the API for a search. Days begin and end at midnight in the reader's zone, and the last day is part of the search. A
 * space at the end of the words stays, because it says that the last word is complete.
 */
export function queryFor(search: SearchState): ListMessages {
  const { q, inbox, label, direction, after, before } = search;
  return {
    ...(q.trim() !== '' && { query: q.trimStart(), mode: readMode(search) }),
    inbox_id: inbox || undefined,
    label_id: label || undefined,
    direction: direction === 'inbound' || direction === 'outbound' ? direction : undefined,
    after: dayStart(after, 0),
    before: dayStart(before, 1),
  };
}

/** Returns words with an operator at their end, which is not added a second time. */
export function addOperator(words: string, operator: string): string {
  const kept = words.trimEnd();
  if (kept.split(/\s+/).includes(operator)) return words;
  return kept === '' ? operator : `${kept} ${operator}`;
}

function dayStart(day: string, daysLater: number): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  if (date === undefined) return undefined;
  return new Date(Number(year), Number(month) - 1, Number(date) + daysLater).toISOString();
}

/** A piece of a snippet. */
export interface SnippetPart {
  text: string;
  isMatch: boolean;
}

/**
 * Reads the snippet of a search result: `**` surrounds each match, and a backslash precedes each character of the text itself that could be
 * taken for a mark. A match without an end extends to the end of the text.
 */
export function readSnippet(snippet: string): SnippetPart[] {
  const parts: SnippetPart[] = [];
  let isMatch = false;
  let text = '';
  const end = () => {
    if (text !== '') parts.push({ text, isMatch });
    text = '';
  };
  for (const [token, escaped] of snippet.matchAll(/\\([*_`\\])|\*\*|[^\\*]+|[\\*]/g)) {
    if (token === '**') {
      end();
      isMatch = !isMatch;
    } else text += escaped ?? token;
  }
  end();
  return nearMatch(parts);
}

/** A row shows the beginning of a snippet only, so it begins shortly before the first match. */
function nearMatch([first, ...others]: SnippetPart[]): SnippetPart[] {
  if (first === undefined) return [];
  const isFar = !first.isMatch && others.length > 0 && first.text.length > 2 * beforeMatch;
  return [isFar ? { ...first, text: `…${first.text.slice(-beforeMatch)}` } : first, ...others];
}
