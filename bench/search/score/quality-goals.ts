import { type Goal, judge, type Outcome, ratio } from '../../measure/goal.ts';
import { type JudgedQuery, queryClasses } from '../judgements.ts';
import { meanScore, type QuerySet, type Rankings } from './quality-table.ts';

const byMeaning = ['paraphrase', 'cross-language'];
const better: Omit<Goal, 'id' | 'what'> = { unit: '×', better: 'higher', floor: 1, target: null };
const asGood: Omit<Goal, 'id' | 'what'> = { unit: '×', better: 'higher', floor: 0.98, target: 1 };

/** Judges NDCG@10 over all queries: keyword search against each baseline by class, and hybrid search against the better of its two. */
export function judgeQuality(
  rankings: Rankings,
  queries: JudgedQuery[],
  baselines: string[],
  provider: string,
): Outcome[] {
  const compare = (goal: Goal, subject: string, others: string[], has: QuerySet['has']) => {
    const of = (name: string) => meanScore(rankings.get(name) ?? [], queries, has).ndcg;
    const [own, best] = [of(subject), Math.max(...others.map(of))];
    return judge(goal, [ratio(own, best)], `${own.toFixed(4)} against ${best.toFixed(4)}`);
  };
  const sets: QuerySet[] = queryClasses.map((name) => ({ name, has: (query) => query.class === name }));
  const [semantic, hybrid] = [`semantic ${provider}`, `hybrid ${provider}`];
  const keywordGoals = sets
    .filter(({ name }) => !byMeaning.includes(name))
    .map(({ name, has }, at) =>
      compare(
        { ...better, id: `Q1.${at + 1}`, what: `keyword, ${name}, against ${baselines.join(' and ')}` },
        'keyword',
        baselines,
        has,
      ),
    );
  const hybridGoals = sets.map(({ name, has }, at) =>
    compare(
      { ...asGood, id: `Q2.${at + 1}`, what: `${hybrid}, ${name}, against keyword and semantic` },
      hybrid,
      ['keyword', semantic],
      has,
    ),
  );
  const everywhere = [
    { id: 'Q3', name: 'all', has: () => true },
    { id: 'Q3 b', name: 'held out', has: (query: JudgedQuery) => query.heldOut },
  ].map(({ id, name, has }) =>
    compare(
      { ...better, id, what: `${hybrid}, ${name}, against keyword, semantic and their plain fusion` },
      hybrid,
      ['keyword', semantic, `RRF ${provider}`],
      has,
    ),
  );
  return [...keywordGoals, ...hybridGoals, ...everywhere];
}
