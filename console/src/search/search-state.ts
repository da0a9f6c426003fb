import type { ListMessages } from 'postrider';

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
  const from = dayStart(after, 0);
  const until = dayStart(before, 1);
  return {
    ...(q.trim() !== '' && { query: q.trimStart(), mode: readMode(search) }),
    ...(inbox !== '' && { inbox_id: inbox }),
    ...(label !== '' && { label_id: label }),
    ...((direction === 'inbound' || direction === 'outbound') && { direction }),
    ...(from !== null && { after: from }),
    ...(until !== null && { before: until }),
  };
}

/** Returns words with an operator at their end, which is not added a second time. */
export function addOperator(words: string, operator: string): string {
  const kept = words.trimEnd();
  if (kept.split(/\s+/).includes(operator)) return words;
  return kept === '' ? operator : `${kept} ${operator}`;
}

function dayStart(day: string, daysLater: number): string | null {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? [];
  if (date === undefined) return null;
  return new Date(Number(year), Number(month) - 1, Number(date) + daysLater).toISOString();
}
