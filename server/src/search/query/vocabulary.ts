/*
 * The vocabulary of a workspace says how rare a word is, which words begin with another one, and which are spelled nearly like it. It knows
 * only the words of this workspace, so a query learns nothing about others.
 */
import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { acrossWorkspaces, type RowsContext } from '../../db/scoped.ts';
import {
  editDistanceIsOne,
  englishStem,
  inflectedLexemes,
  isWithinTwoTypos,
  lightStem,
  typoHashes,
} from '../text/word-forms.ts';

type ReadContext = RowsContext;

/** Longer words are not in the vocabulary. */
const vocabularyWordMax = 24;
/** The words of one stem that are read. If there are more, their number is unknown. */
const familyMax = 60;
const familyStemMin = 4;
const beginningsReadMax = 2_000;
const beginningsMax = 50;

/** A word with roughly the number of messages that have it. */
export interface KnownWord {
  word: string;
  n: number;
}

/** The result of the vocabulary for the words of a query. */
export interface LookedUp {
  /** Roughly how many messages have each word in any inflection; null where there are too many words to say. */
  counts: Map<string, number | null>;
  /** The most frequent words that begin with the incomplete one, without itself. */
  completions: KnownWord[];
  /** Roughly how many messages have each facet that is counted. */
  facets: Map<string, number>;
}

/** A question to the vocabulary. */
export interface LookUp {
  words: string[];
  /** The word that may be incomplete; null if none may. */
  incomplete: string | null;
  facets: string[];
}

/** Looks up the words and facets of a query, and what the incomplete word, if there is one, may become. */
export async function lookUpWords(
  ctx: ReadContext,
  { words, incomplete, facets }: LookUp,
): Promise<LookedUp> {
  const known = words.filter((word) => word.length <= vocabularyWordMax);
  const rows = await selectWords(ctx, {
    workspaceId: ctx.workspaceId,
    ...stemFamilies(known),
    low: incomplete ?? '',
    // Nothing is between two equal bounds.
    high: incomplete === null ? '' : rangeEnd(incomplete),
    facets,
  });
  const counts = new Map<string, number | null>(words.map((word) => [word, null]));
  for (const [index, word] of known.entries())
    counts.set(
      word,
      countInflections(
        word,
        rows.filter(({ place }) => place === index + 1),
      ),
    );
  return {
    counts,
    completions: rows.filter(({ place }) => place === 0).toSorted((a, b) => b.n - a.n),
    facets: new Map(rows.filter(({ place }) => place === facetPlace).map(({ word, n }) => [word, n])),
  };
}

function countInflections(word: string, family: KnownWord[]): number | null {
  if (family.length >= familyMax) return null;
  const forms = new Set(inflectedLexemes(word));
  const members = family.filter((one) => inflectedLexemes(one.word).some((form) => forms.has(form)));
  return members.reduce((sum, { n }) => sum + n, 0);
}

/** Words of one stem nearly always begin with it, apart from the `i` that stands for a `y`. Each of the two kinds of stems counts. */
function stemFamilies(words: string[]): { starts: string[]; ends: string[] } {
  const starts = words.map((word) => {
    const stems = [englishStem(word).replace(/i$/, ''), lightStem(word)];
    const start =
      stems.filter((stem) => word.startsWith(stem)).sort((a, b) => a.length - b.length)[0] ?? word;
    return start.length < familyStemMin ? word : start;
  });
  return {
    starts,
    ends: starts.map((start, index) => (start === words[index] ? `${start}\u0001` : rangeEnd(start))),
  };
}

/** A known word with the number of its range, counted from 1. */
interface PlacedWord extends KnownWord {
  place: number;
}

interface Ranges {
  workspaceId: string;
  starts: string[];
  ends: string[];
}

/** The words from each start to before its end. */
function inRanges({ workspaceId, starts, ends }: Ranges, most: number) {
  return sql<PlacedWord>`select range.place::int as place, found.word, found.n
    from unnest(${starts}::text[], ${ends}::text[]) with ordinality as range(low, high, place)
    cross join lateral (select word, n from search_words where workspace_id = ${workspaceId}
      and word >= range.low collate "C" and word < range.high collate "C" order by word limit ${sql.lit(most)}) as found`;
}

interface Wanted extends Ranges {
  low: string;
  high: string;
  facets: string[];
}

const facetPlace = -1;
const isNoFacet = sql`word not like 'in:%' and word not like 'is:%' and word not like 'has:%'`;

const selectWords = prepared((db, wanted: Wanted) =>
  sql<PlacedWord>`${inRanges(wanted, familyMax)}
    union all (select 0, word, n from (
      select word, n from search_words where workspace_id = ${wanted.workspaceId} and word > ${wanted.low}::text collate "C"
        and word < ${wanted.high}::text collate "C" and ${isNoFacet} order by word limit ${sql.lit(beginningsReadMax)}) as beginnings
      order by n desc, word limit ${sql.lit(beginningsMax)})
    union all (select ${sql.lit(facetPlace)}, word, n from search_words where workspace_id = ${wanted.workspaceId}
      and word = any(${wanted.facets}::text[]))`.compile(db),
);

/** Returns the words from each start to before its end, and at most `most` of each range. */
async function readRanges(
  ctx: ReadContext,
  { starts, ends, most }: { starts: string[]; ends: string[]; most: number },
): Promise<PlacedWord[]> {
  const { rows } = await inRanges({ workspaceId: ctx.workspaceId, starts, ends }, most).execute(ctx.db);
  return rows;
}

/** The end of the range of words that begin with this one. */
function rangeEnd(start: string): string {
  return `${start}\u{10ffff}`;
}

/** For how many words of a query others are proposed, how many rows are compared for that, and how many are proposed for one word. */
const corrected = { wordsMax: 5, rowsMax: 400, perWordMax: 5 };
/** Two typos are looked for in words of letters from this length on, among as many words that begin with the same half. */
const twice = { words: /^\p{L}{7,24}$/u, rowsMax: 1_000 };

/**
 * Returns, for each word, the words of the vocabulary that differ from it by one typo, the most frequent first. If there are none, it
 * returns those that differ by two.
 */
export async function findCorrections(ctx: ReadContext, words: string[]): Promise<Map<string, KnownWord[]>> {
  const wrong = words.slice(0, corrected.wordsMax);
  const once = await correctOnce(ctx, wrong);
  const left = wrong.filter((word) => !once.get(word)?.length && twice.words.test(word));
  return left.length === 0 ? once : new Map([...once, ...(await correctTwice(ctx, left))]);
}

async function correctOnce(ctx: ReadContext, wrong: string[]): Promise<Map<string, KnownWord[]>> {
  const hashes = wrong.flatMap((word) => typoHashes(ctx.workspaceId, word));
  if (hashes.length === 0) return new Map();
  const near = await selectAlike(ctx, { workspaceId: ctx.workspaceId, hashes });
  return new Map(wrong.map((word) => [word, choose(near, (one) => editDistanceIsOne(one, word))]));
}

/**
 * Each hash is looked up by itself, because the planner takes all of them together for a part of the table that is best read as a whole.
 * The workspace is compared afterwards, or all its words would be listed for each hash. Hashes are mixed with it, so few rows are of
 * others.
 */
const selectAlike = prepared((db, { workspaceId, hashes }: { workspaceId: string; hashes: number[] }) =>
  sql<KnownWord>`
    select distinct near.word, near.n from unnest(${hashes}::integer[]) as wanted(hash)
    cross join lateral (select workspace_id, word, n from search_words where variants @> array[wanted.hash]
      limit ${sql.lit(corrected.rowsMax)}) as near
    where near.workspace_id = ${workspaceId} limit ${sql.lit(corrected.rowsMax)}`.compile(
    acrossWorkspaces({ db }, 'words of others are left out'),
  ),
);

/** No variant shows two typos, but most people get the beginning of a word right. */
async function correctTwice(ctx: ReadContext, wrong: string[]): Promise<Map<string, KnownWord[]>> {
  const starts = wrong.map((word) => [...word].slice(0, word.length / 2).join(''));
  const near = await readRanges(ctx, { starts, ends: starts.map(rangeEnd), most: twice.rowsMax });
  return new Map(
    wrong.map((word, index) => {
      const alike = near.filter(({ place }) => place === index + 1);
      return [word, choose(alike, (one) => isWithinTwoTypos(one, word))];
    }),
  );
}

function choose(words: KnownWord[], isNear: (word: string) => boolean): KnownWord[] {
  return words
    .filter(({ word }) => isNear(word))
    .toSorted((a, b) => b.n - a.n || (a.word < b.word ? -1 : 1))
    .slice(0, corrected.perWordMax);
}
