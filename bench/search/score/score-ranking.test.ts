import { expect, it } from 'vitest';
import { scoreRanking } from './score-ranking.ts';

const grades = new Map([
  ['asked', 2],
  ['asked too', 2],
  ['related', 1],
]);

it('gives the best ranking 1, and an empty one 0', () => {
  expect(scoreRanking(['asked', 'asked too', 'related'], grades)).toEqual({ ndcg: 1, recall: 1 });
  expect(scoreRanking([], grades)).toEqual({ ndcg: 0, recall: 0 });
});

it('counts what comes later for less, and what comes after ten places not at all', () => {
  const { ndcg } = scoreRanking(['x', 'asked'], new Map([['asked', 2]]));
  expect(ndcg).toBeCloseTo(1 / Math.log2(3));
  const late = [...Array.from({ length: 10 }, (_, at) => `x${at}`), 'asked'];
  expect(scoreRanking(late, new Map([['asked', 2]]))).toEqual({ ndcg: 0, recall: 1 });
});

it('recalls only what was asked for', () => {
  expect(scoreRanking(['related', 'asked'], grades).recall).toBe(0.5);
});

it('refuses a ranking with a mail twice', () => {
  expect(() => scoreRanking(['x', 'asked', 'x'], new Map([['asked', 2]]))).toThrow(
    'The ranking has a mail twice',
  );
});
