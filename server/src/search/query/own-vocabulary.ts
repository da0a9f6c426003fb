/*
 * Whoever is limited to some inboxes may not learn of the words of others: not by how they rank, by what they complete, nor by what they are
 * taken for. So the vocabulary of such a search is that of the newest messages of these inboxes.
 */
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import { perServer } from '../../lib/per-server.ts';
import { createRecentMap } from '../../lib/recent-map.ts';
import { messageFilters } from '../../messages/message-filters.ts';
import { newestOf } from '../../messages/newest-ids.ts';
import { inflectedLexemes, matchingLexemes } from '../text/stem-of.ts';
import { editDistanceIsOne, isCorrectable, isWithinTwoTypos } from '../text/typos.ts';
import { anyLexeme, oneLexeme } from './lexeme-query.ts';
import { inInbox } from './plan-operators.ts';
import {
  beginningsMax,
  endOf,
  type KnownWord,
  type LookedUp,
  type LookUp,
  lookUpWords,
} from './vocabulary.ts';

/** How many messages its words are taken from. */
const sampled = 300;
const correctionsMax = 5;
const twiceLengthMin = 7;

/** The words of some messages. */
interface Sample {
  words: KnownWord[];
  /** The words of each form that the index may have of them. */
  ofForm: Map<string, KnownWord[]>;
}

/** Each has some thousand words. */
const samplesMax = 32;
const samplesOf = perServer(() => createRecentMap<Sample>(samplesMax));

/** What is known of words. */
export interface Vocabulary {
  /** The messages among which it counts. */
  total: number;
  lookUp(wanted: LookUp): Promise<LookedUp>;
  /** Returns the words that each of these may be a misspelling of, the most frequent first. */
  correct(words: string[]): Promise<Map<string, KnownWord[]>>;
}

/** Returns the vocabulary of the messages in the scope of a caller that is limited to some inboxes. */
export async function openOwnVocabulary(ctx: Context, inboxIds: string[]): Promise<Vocabulary> {
  const [{ facets }, ids] = await Promise.all([
    lookUpWords(ctx, { words: [], incomplete: null, facets: inboxIds.map((id) => `in:${id}`) }),
    newestIds(ctx),
  ]);
  const total = Math.max(
    ids.length,
    [...facets.values()].reduce((sum, n) => sum + n, 0),
  );
  const perSampled = total / Math.max(1, ids.length);
  const sample = await sampleOf(ctx, ids);
  const scaled = (words: KnownWord[]) =>
    words.map(({ word, n }) => ({ word, n: Math.round(n * perSampled) }));
  return {
    total,
    lookUp: async ({ words, incomplete }) => {
      const counts = new Map(words.map((word) => [word, Math.round(countIn(sample, word) * perSampled)]));
      const missing = words.filter((word) => counts.get(word) === 0);
      // A word that only older messages have is no misspelling.
      const older = ids.length < total ? await findPresent(ctx, inboxIds, missing) : [];
      for (const word of older) counts.set(word, 1);
      const completions = incomplete === null ? [] : completionsIn(sample.words, incomplete);
      return { counts, completions: scaled(completions), facets: new Map() };
    },
    correct: async (words) => new Map(words.map((word) => [word, scaled(correctionsIn(sample.words, word))])),
  };
}

async function newestIds(ctx: Context): Promise<string[]> {
  const [own] = (await messageFilters(ctx, { limit: 1 })) ?? [];
  if (!own) return [];
  const range = { from: null, before: [] };
  const rows = await newestOf(ctx, own, range, sampled).execute();
  return rows.map(({ id }) => id);
}

/** Returns which versions of messages are in the index. Those that are not yet, and files of those that are, come to it later. */
async function stateOf(ctx: Context, ids: string[]): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    select count(*) || ' ' || coalesce(sum(own.version), 0) as state from unnest(${ids}::text[]) as wanted(id)
    cross join lateral (select xmin::text::bigint as version from search_messages
      where workspace_id = ${ctx.workspaceId} and message_id = wanted.id limit 1) as own`.execute(
    acrossWorkspaces(ctx, 'the rows are those of the workspace'),
  );
  return rows[0]?.state ?? '';
}

/** Returns the words of messages as they are written, without stems and facets. */
async function readWords(ctx: Context, ids: string[]): Promise<KnownWord[]> {
  const { rows } = await sql<KnownWord>`
    select lexeme as word, count(*)::int as n from unnest(${ids}::text[]) as wanted(id)
    cross join lateral (select words from search_messages
      where workspace_id = ${ctx.workspaceId} and message_id = wanted.id limit 1) as own
    cross join lateral unnest(tsvector_to_array(own.words)) as lexeme
    where lexeme !~ '^([@~=]|(in|is|has|f|s|t|n):)' group by lexeme`.execute(
    acrossWorkspaces(ctx, 'the rows are those of the workspace'),
  );
  return rows;
}

/** Returns the words of messages. An agent searches several times before the next mail, so those of the last messages are kept. */
async function sampleOf(ctx: Context, ids: string[]): Promise<Sample> {
  if (ids.length === 0) return { words: [], ofForm: new Map() };
  const key = [await stateOf(ctx, ids), ...ids].join();
  const kept = samplesOf(ctx).get(key);
  if (kept) return kept;
  const words = await readWords(ctx, ids);
  const ofForm = new Map<string, KnownWord[]>();
  for (const word of words)
    for (const form of inflectedLexemes(word.word)) {
      const same = ofForm.get(form);
      if (same) same.push(word);
      else ofForm.set(form, [word]);
    }
  samplesOf(ctx).set(key, { words, ofForm });
  return { words, ofForm };
}

function countIn({ ofForm }: Sample, word: string): number {
  const alike = new Set(inflectedLexemes(word).flatMap((form) => ofForm.get(form) ?? []));
  return [...alike].reduce((sum, { n }) => sum + n, 0);
}

async function findPresent(ctx: Context, inboxIds: string[], words: string[]): Promise<string[]> {
  if (words.length === 0) return [];
  const queries = words.map((word) => anyLexeme(matchingLexemes(word)));
  const inboxes = inboxIds.map((id) => oneLexeme(inInbox(id)));
  const { rows } = await sql<{ word: string }>`
    select wanted.word from unnest(${words}::text[], ${queries}::text[]) as wanted(word, query)
    where exists (select from unnest(${inboxes}::text[]) as inbox(query) cross join lateral (
      select workspace_id from search_messages where words @@ (inbox.query || ' & ' || wanted.query)::tsquery offset 0) as found
      where found.workspace_id = ${ctx.workspaceId})`.execute(
    acrossWorkspaces(ctx, 'an inbox is of one workspace'),
  );
  return rows.map(({ word }) => word);
}

function completionsIn(sample: KnownWord[], incomplete: string): KnownWord[] {
  return mostFrequent(
    sample.filter(({ word }) => word > incomplete && word < endOf(incomplete)),
    beginningsMax,
  );
}

function correctionsIn(sample: KnownWord[], wrong: string): KnownWord[] {
  if (!isCorrectable(wrong)) return [];
  const once = sample.filter(({ word }) => isCorrectable(word) && editDistanceIsOne(word, wrong));
  if (once.length > 0 || [...wrong].length < twiceLengthMin) return mostFrequent(once, correctionsMax);
  const start = [...wrong].slice(0, wrong.length / 2).join('');
  return mostFrequent(
    sample.filter(({ word }) => word.startsWith(start) && isWithinTwoTypos(word, wrong)),
    correctionsMax,
  );
}

function mostFrequent(words: KnownWord[], most: number): KnownWord[] {
  return words.toSorted((a, b) => b.n - a.n || (a.word < b.word ? -1 : 1)).slice(0, most);
}
