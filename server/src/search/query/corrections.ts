import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import { editDistanceIsOne, isWithinTwoTypos, variantsOf } from '../text/typos.ts';
import { endOf, type KnownWord, type ReadContext, readRanges } from './vocabulary.ts';

/** For how many words of a query others are proposed, how many rows are compared for that, and how many are proposed for one word. */
const corrected = { wordsMax: 5, rowsMax: 400, perWordMax: 5 };
/** Two typos are looked for in words of letters from this length on, among as many words that begin with the same half. */
const twice = { words: /^\p{L}{7,24}$/u, rowsMax: 1_000 };

/**
 * Returns the words of the vocabulary that differ by one typo from each of these or, if there are none, by two; the most frequent first.
 */
export async function correctionsOf(ctx: ReadContext, words: string[]): Promise<Map<string, KnownWord[]>> {
  const wrong = words.slice(0, corrected.wordsMax);
  const once = await correctOnce(ctx, wrong);
  const left = wrong.filter((word) => !once.get(word)?.length && twice.words.test(word));
  return left.length === 0 ? once : new Map([...once, ...(await correctTwice(ctx, left))]);
}

async function correctOnce(ctx: ReadContext, wrong: string[]): Promise<Map<string, KnownWord[]>> {
  const hashes = wrong.flatMap((word) => variantsOf(ctx.workspaceId, word));
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
  const near = await readRanges(ctx, { starts, ends: starts.map(endOf), most: twice.rowsMax });
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
