/*
 * The vocabulary of a workspace says how rare a word is, which words begin with another one, and which are spelled nearly like it. It knows
 * only the words of this workspace, so a query learns nothing about others.
 */
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { acrossWorkspaces, scoped } from '../../db/scoped.ts';
import { inflectedLexemes, lightStemOf, stemOf } from '../text/stem-of.ts';

export type ReadContext = Pick<Context, 'db' | 'workspaceId'>;

/** Longer words are not in the vocabulary. */
export const vocabularyWordMax = 24;
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

/** Returns roughly how many messages have each word in any inflection; null where there are too many words to say. */
export async function countWords(ctx: ReadContext, words: string[]): Promise<Map<string, number | null>> {
  const known = words.filter((word) => word.length <= vocabularyWordMax);
  const counts = new Map<string, number | null>(words.map((word) => [word, null]));
  if (known.length === 0) return counts;
  const families = await readFamilies(ctx, known);
  for (const [index, word] of known.entries()) {
    const family = families.filter(({ place }) => place === index + 1);
    const forms = new Set(inflectedLexemes(word));
    const members = family.filter((one) => inflectedLexemes(one.word).some((form) => forms.has(form)));
    const n = members.reduce((sum, one) => sum + one.n, 0);
    counts.set(word, family.length >= familyMax ? null : n);
  }
  return counts;
}

/** Words of one stem nearly always begin with it, apart from the `i` that stands for a `y`. Each of the two kinds of stems counts. */
async function readFamilies(ctx: ReadContext, words: string[]): Promise<(KnownWord & { place: number })[]> {
  const starts = words.map((word) => {
    const stems = [stemOf(word).replace(/i$/, ''), lightStemOf(word)];
    const start =
      stems.filter((stem) => word.startsWith(stem)).sort((a, b) => a.length - b.length)[0] ?? word;
    return start.length < familyStemMin ? word : start;
  });
  const ends = starts.map((start, index) => (start === words[index] ? `${start}\u0001` : endOf(start)));
  return readRanges(ctx, { starts, ends, most: familyMax });
}

/** Returns the words from each start to before its end, with the number of the range, counted from 1. */
export async function readRanges(
  ctx: ReadContext,
  { starts, ends, most }: { starts: string[]; ends: string[]; most: number },
): Promise<(KnownWord & { place: number })[]> {
  const { rows } = await sql<KnownWord & { place: number }>`
    select range.place::int as place, found.word, found.n
    from unnest(${starts}::text[], ${ends}::text[]) with ordinality as range(low, high, place)
    cross join lateral (select word, n from search_words where workspace_id = ${ctx.workspaceId}
      and word >= range.low collate "C" and word < range.high collate "C" order by word limit ${most}) as found`.execute(
    ctx.db,
  );
  return rows;
}

/** Returns the most frequent words that begin with this one, without itself, and how many messages have them. */
export async function wordsBeginningWith(ctx: ReadContext, word: string): Promise<KnownWord[]> {
  const some = scoped(ctx)
    .selectFrom('search_words')
    .select(['word', 'n'])
    .where('word', '>', word)
    .where('word', '<', endOf(word))
    .orderBy('word')
    .limit(beginningsReadMax);
  return acrossWorkspaces(ctx, 'the words are those of the workspace')
    .selectFrom(some.as('some'))
    .select(['word', 'n'])
    .orderBy('n', 'desc')
    .orderBy('word')
    .limit(beginningsMax)
    .execute();
}

/** The end of the range of words that begin with this one. */
export function endOf(start: string): string {
  return `${start}\u{10ffff}`;
}
