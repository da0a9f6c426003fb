/*
 * The score of a message is computed where its words are, so that only the best messages leave the database.
 */
import { type RawBuilder, sql } from 'kysely';
import { firstIdAt } from '../../lib/ids.ts';
import { allOfParts, anyLexeme } from './index-query.ts';
import type { PlannedTerm, TermForm } from './plan-term.ts';

/** The weights of the parts of a score. Tuned with `bench/search`, whose judged queries show the effect of a change. */
export const weights = {
  /** A lexeme by where it stands: quoted history and text of files, new text, names and file names, subject. */
  fields: [0.25, 0.55, 0.7, 1],
  terms: 0.77,
  /** Words that are near each other. */
  nearness: 0.15,
  recency: 0.08,
  /** A text of ten times this many different words counts for less by this share. */
  length: { words: 100, share: 0.12 },
};

/** Scores are whole numbers up to this in queries and cursors. */
export const scoreMax = 1_000_000;

/** Terms beyond this number match and do not count, because each costs time for each message. */
export const scoredTermsMax = 16;
/** Proximity is looked up only for the rarest words: with eight words that a text repeats, it took ten times as long as everything else. */
const nearTermsMax = 4;
const idfOfHalf = Math.log(2) + 0.05;
const ageDays = [1, 7, 30, 90, 365];
const dayMs = 86_400_000;

const fields = sql`${sql.lit(`{${weights.fields.join(',')}}`)}::float4[]`;
const words = sql.ref('words');

/** Returns the terms that count for the score: the rarest. */
export function scoredTerms(terms: PlannedTerm[]): PlannedTerm[] {
  return terms.toSorted((a, b) => b.idf - a.idf).slice(0, scoredTermsMax);
}

/**
 * Returns the SQL of the score of a row with `words` and `message_id`, from 0 to `scoreMax`. Messages with all terms are in its upper half,
 * others below it, by how much they lack.
 */
export function scoreSql(terms: PlannedTerm[], isComplete: boolean, now: Date): RawBuilder<number> {
  const counted = scoredTerms(terms);
  if (counted.length === 0) return sql<number>`${sql.lit(scoreMax)}`;
  const each = counted.map((term) => sql`${number(term.idf)} * ${strengthSql(term)}`);
  const parts = [
    sql`${sql.lit(weights.terms)} * ${lengthFactor} * ${addUp(each)} / ${number(totalWeight(counted))}`,
    sql`${sql.lit(weights.recency)} * ${recencySql(now)}`,
  ];
  const near = counted.slice(0, nearTermsMax);
  // A message that lacks one of the words has no place where all of them are.
  const canBeNear = near.length > 1 && (isComplete || terms.length > near.length);
  if (canBeNear) parts.push(sql`${sql.lit(weights.nearness)} * ${nearnessSql(near)}`);
  const half = scoreMax / 2;
  const base = sql`least(1, ${addUp(parts)})`;
  return isComplete
    ? sql<number>`round(${sql.lit(half)} + ${sql.lit(half)} * ${base})::int`
    : sql<number>`round(${sql.lit(half - 1)} * ${base} * ${coverageByFormSql(counted)})::int`;
}

/** Returns the SQL of the share of the query that a row has, by how much its terms tell. */
export function coverageSql(terms: PlannedTerm[]): RawBuilder<number> {
  const has = terms.map(({ idf, match }) => sql`case when ${hasAny(match)} then ${number(idf)} else 0 end`);
  return shareOfAll(has, terms);
}

/**
 * The same, where another form of a term, such as an inflected one, counts less: a message that lacks a word should have the other words
 * exactly. A word that no message has does not count here.
 */
export function coverageByFormSql(terms: PlannedTerm[]): RawBuilder<number> {
  if (terms.some(({ isMissing }) => isMissing)) return coverageSql(terms);
  const has = terms.map(({ idf, match, forms }) => {
    const [itself, ...others] = forms;
    const other = Math.max(...others.map(({ share }) => share));
    const whole = itself && others.length > 0 && other < 1 ? anyLexeme(itself.lexemes) : match;
    return sql`case when ${hasAny(whole)} then ${number(idf)} ${whole === match ? sql`` : sql`when ${hasAny(match)} then ${number(idf * other)}`} else 0 end`;
  });
  return shareOfAll(has, terms);
}

function hasAny(match: string): RawBuilder<unknown> {
  return sql`${words} @@ ${match}::tsquery`;
}

function shareOfAll(parts: RawBuilder<unknown>[], terms: PlannedTerm[]): RawBuilder<number> {
  return sql<number>`(${addUp(parts)} / ${number(totalWeight(terms))})`;
}

/** Returns how much all of the terms tell. */
export function totalWeight(terms: PlannedTerm[]): number {
  return terms.reduce((sum, { idf }) => sum + idf, 0);
}

/** Whether at least half of all messages have a term, judged by how little it tells. */
export function isInMost({ idf }: PlannedTerm): boolean {
  return idf <= idfOfHalf;
}

const lengthFactor = sql`(1 - ${sql.lit(weights.length.share)} * greatest(0, log(greatest(length(${words}), 1) / ${sql.lit(weights.length.words)}::float8)))`;

/** A word counts less each further time: 0.6 of its field once, 0.76 twice. */
function strengthSql({ forms }: PlannedTerm): RawBuilder<unknown> {
  const each = forms.map(({ lexemes, of, share }) => rankSql({ lexemes, of, share }));
  return each.length === 1 ? sql`${each[0]}` : sql`greatest(${sql.join(each)})`;
}

/** `ts_rank` divides by the number of lexemes. */
function rankSql({ lexemes, of, share }: TermForm): RawBuilder<unknown> {
  const rank = sql`ts_rank(${fields}, ${words}, ${anyLexeme(lexemes)}::tsquery)`;
  return of === 'all' || lexemes.length === 1
    ? sql`${number(share)} * ${rank}`
    : sql`${number(share)} * least(1, ${number(lexemes.length)} * ${rank})`;
}

function nearnessSql(terms: PlannedTerm[]): RawBuilder<unknown> {
  const all = allOfParts(terms.map(({ match }) => match));
  return sql`least(1, 2 * ts_rank_cd(${fields}, ${words}, ${all}::tsquery, 32))`;
}

/** The newer a message is the more it counts, by steps. Ids begin with their time, and comparing them is cheap. */
function recencySql(now: Date): RawBuilder<unknown> {
  const steps = ageDays.map((days, index) => {
    const id = firstIdAt('msg', new Date(now.getTime() - days * dayMs));
    return sql`when message_id >= ${id} then ${sql.lit(1 - index / ageDays.length)}`;
  });
  return sql`case ${sql.join(steps, sql` `)} else 0 end`;
}

/** A parameter, so that searches with as many words and forms have the same text of SQL, and share a prepared statement. */
function number(value: number): RawBuilder<number> {
  return sql`${value}::float8`;
}

function addUp(parts: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`(${sql.join(parts, sql` + `)})`;
}
