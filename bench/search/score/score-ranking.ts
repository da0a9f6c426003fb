/** How good one ranking is, from 0 to 1. */
export interface RankingScore {
  /** The gain of the first ten, each discounted by its place, as a share of the best possible ranking. */
  ndcg: number;
  /** The share of the mails that were asked for among the first twenty. */
  recall: number;
}

const ndcgDepth = 10;
const recallDepth = 20;

/**
 * Scores a ranking of ids by their grades: 2 for what was asked for, 1 for what is related. A ranking that names an id twice is a defect.
 */
export function scoreRanking(ranking: string[], grades: Map<string, number>): RankingScore {
  if (new Set(ranking).size !== ranking.length)
    throw new Error(`The ranking has a mail twice: ${ranking.join(', ')}.`);
  const best = [...grades.values()].toSorted((a, b) => b - a);
  const asked = [...grades].filter(([, grade]) => grade === 2).map(([id]) => id);
  const found = new Set(ranking.slice(0, recallDepth));
  return {
    ndcg: discountedGain(ranking.map((id) => grades.get(id) ?? 0)) / discountedGain(best),
    recall: asked.filter((id) => found.has(id)).length / Math.min(asked.length, recallDepth),
  };
}

function discountedGain(grades: number[]): number {
  return grades
    .slice(0, ndcgDepth)
    .reduce((sum, grade, place) => sum + (2 ** grade - 1) / Math.log2(place + 2), 0);
}
