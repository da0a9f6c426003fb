import type { Table } from '../../measure/table.ts';
import { type JudgedQuery, queryClasses } from '../judgements.ts';
import { type RankingScore, scoreRanking } from './score-ranking.ts';

/** The rankings of each way to search, in the order of the queries. */
export type Rankings = Map<string, string[][]>;

/** Queries whose scores are averaged, with their name in a table. */
export interface QuerySet {
  name: string;
  has(query: JudgedQuery): boolean;
}

/** Returns the sets of a table: each class, and all of them. */
export function querySets(heldOut: boolean): QuerySet[] {
  const isPart = (query: JudgedQuery) => query.heldOut === heldOut;
  return [
    ...queryClasses.map((name) => ({
      name,
      has: (query: JudgedQuery) => isPart(query) && query.class === name,
    })),
    { name: 'all', has: isPart },
  ];
}

/** Returns the mean scores of a way to search over the queries of a set. */
export function meanScore(rankings: string[][], queries: JudgedQuery[], has: QuerySet['has']): RankingScore {
  const scores = queries.flatMap((query, at) =>
    has(query) ? [scoreRanking(rankings[at] ?? [], query.grades)] : [],
  );
  const average = (pick: (score: RankingScore) => number) =>
    scores.reduce((sum, score) => sum + pick(score), 0) / scores.length;
  return { ndcg: average(({ ndcg }) => ndcg), recall: average(({ recall }) => recall) };
}

/** Returns the table of NDCG@10 and recall@20 by class for the tuned or the held-out queries. */
export function qualityTable(rankings: Rankings, queries: JudgedQuery[], heldOut: boolean): Table {
  const show = ({ ndcg, recall }: RankingScore) => `${ndcg.toFixed(3)} / ${recall.toFixed(3)}`;
  return {
    title: `NDCG@10 / recall@20, ${heldOut ? 'held-out' : 'tuned'} queries`,
    columns: ['class', 'queries', ...rankings.keys()],
    rows: querySets(heldOut).map(({ name, has }) => [
      name,
      String(queries.filter(has).length),
      ...[...rankings.values()].map((ranking) => show(meanScore(ranking, queries, has))),
    ]),
  };
}

/** Returns the table of the tuned queries that a way to search does not answer perfectly, with what it found instead. */
export function missesTable(name: string, rankings: string[][], queries: JudgedQuery[]): Table {
  const rows = queries.flatMap((query, at) => {
    const found = rankings[at] ?? [];
    const { ndcg } = scoreRanking(found, query.grades);
    if (query.heldOut || ndcg > 0.999) return [];
    const wanted = [...query.grades].map(([id, grade]) => {
      const place = found.indexOf(id) + 1;
      return `${id}(${grade}): ${place === 0 ? '–' : place}`;
    });
    return [[query.class, query.query, ndcg.toFixed(2), wanted.join(', '), found.slice(0, 3).join(', ')]];
  });
  return {
    title: `tuned queries short of perfect: ${name}`,
    columns: ['class', 'query', 'NDCG', 'places', 'first three'],
    rows,
  };
}
