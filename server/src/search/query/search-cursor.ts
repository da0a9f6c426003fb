/*
 * The cursor of a search contains everything that its order depends on: how rare each word was, and the words to which the last one was
 * completed. Mail that arrives meanwhile changes these, and would otherwise move messages from one page to another.
 */
import { createHash } from 'node:crypto';
import { invalidField } from '../../lib/api-error.ts';
import { decodeCursor } from '../../lib/cursor.ts';
import type { Hit } from './match-slice.ts';
import type { Buckets } from './slices.ts';

const phases = ['all', 'most', 'semantic', 'hybrid'] as const;

/** The condition of hits: all terms, then most of the query; or a similar meaning, in one of the modes that compare by it. */
export type Phase = (typeof phases)[number];

/** The place where a search continues. */
export interface Position {
  phase: Phase;
  buckets: Buckets;
  /** Whether the buckets belong to a tier that was read before. */
  isKnown: boolean;
  after: Hit | null;
}

/** The results of the vocabulary on the first page. */
export interface Wording {
  /** The weight of each term, in hundredths. It is negative where no message has the term in any spelling. */
  idfs: number[];
  /** The words that begin with the last one, without the common beginning. */
  endings: string[];
  /** The words that a term may be a misspelling of, by the place of the term. */
  corrections: Map<number, string[]>;
}

/** A search after its first page. */
export interface SearchState extends Position {
  /** Messages with this id or a later one do not belong to the search. */
  before: string;
  /** When it began. */
  at: Date;
  wording: Wording;
}

/** The room in a cursor, in bytes. */
export const wordingMax = { endings: 240, corrections: 160 };
const partsCount = 9;

/** Returns the sort keys of a search, from which its cursor is created. */
export function keysOfSearch(query: string, state: SearchState): string[] {
  const { phase, buckets, isKnown, after, before, at, wording } = state;
  const number = (value: number | null) => (value === null ? '' : String(value));
  const corrections = [...wording.corrections].map(([place, words]) => [place, ...words].join(' '));
  return [
    queryMark(query),
    before,
    at.getTime().toString(36),
    `${phase} ${isKnown ? 'known' : 'new'} ${number(buckets.top)} ${number(buckets.bottom)}`,
    number(after?.score ?? null),
    after?.id ?? '',
    wording.idfs.join(' '),
    wording.endings.join(' '),
    corrections.join(','),
  ];
}

/** Returns the state of a search. Throws `invalid_request` for the cursor of another query or of another list. */
export function decodeSearch(query: string, cursor: string): SearchState {
  const parts = decodeCursor(cursor, partsCount);
  const [
    mark,
    before = '',
    at = '',
    place = '',
    score = '',
    id = '',
    idfs = '',
    endings = '',
    corrections = '',
  ] = parts;
  if (mark !== queryMark(query)) throw invalidField('cursor', 'must be a `next_cursor` of this search');
  const [phase, known, top = '', bottom = ''] = place.split(' ');
  const number = (text: string) => (text === '' ? null : Number(text));
  return {
    phase: phases.find((known) => known === phase) ?? 'all',
    isKnown: known === 'known',
    buckets: { top: number(top), bottom: number(bottom) },
    after: id === '' ? null : { id, score: Number(score) },
    before,
    at: new Date(Number.parseInt(at, 36)),
    wording: {
      idfs: splitList(idfs, ' ').map(Number),
      endings: splitList(endings, ' '),
      corrections: new Map(
        splitList(corrections, ',').map((text) => {
          const [index, ...words] = text.split(' ');
          return [Number(index), words];
        }),
      ),
    },
  };
}

function splitList(text: string, separator: string): string[] {
  return text === '' ? [] : text.split(separator);
}

function queryMark(query: string): string {
  return createHash('sha256').update(query).digest('base64url').slice(0, 8);
}
