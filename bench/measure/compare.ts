import type { Outcome } from './goal.ts';
import { formatFigure } from './print-outcomes.ts';
import { median } from './statistics.ts';
import type { Table } from './table.ts';

/** A measure of two servers that took turns in each round. */
export interface Comparison {
  id: string;
  what: string;
  unit: string;
  before: number;
  now: number;
  /** The median of the ratios of the rounds. Above 1, the server is better than before. */
  ratio: number;
  rounds: number;
  /** The rounds in which the server was at least as good as before. */
  roundsAtLeast: number;
  verdict: 'worse' | 'not worse' | 'too few rounds';
}

/** Fewer rounds do not show which of two servers is better. */
export const roundsMin = 7;
/** Only with a lower ratio a server is worse, and only if it was as good in fewer than two of seven rounds. */
const worse = { ratio: 0.95, shareOfRounds: 2 / 7 };

/** Compares each measure of two runs, round by round. Measures that one of them does not have are left out. */
export function compareOutcomes(before: Outcome[], now: Outcome[]): Comparison[] {
  const byId = new Map(before.map((outcome) => [outcome.id, outcome]));
  return now.flatMap((outcome): Comparison[] => {
    const old = byId.get(outcome.id);
    if (old?.median == null || outcome.median === null) return [];
    const ratios = outcome.figures.flatMap(({ value }, round) => {
      const other = old.figures[round]?.value;
      return other === undefined ? [] : improvement(other, value, outcome.better);
    });
    const ratio = median(ratios);
    const roundsAtLeast = ratios.filter((each) => each >= 1).length;
    const isWorse = ratio < worse.ratio && roundsAtLeast < worse.shareOfRounds * ratios.length;
    const verdict = ratios.length < roundsMin ? 'too few rounds' : isWorse ? 'worse' : 'not worse';
    const { id, what, unit } = outcome;
    return [
      {
        id,
        what,
        unit,
        before: old.median,
        now: outcome.median,
        ratio,
        rounds: ratios.length,
        roundsAtLeast,
        verdict,
      },
    ];
  });
}

function improvement(before: number, now: number, better: Outcome['better']): number {
  if (before === now) return 1;
  return better === 'higher' ? now / before : before / now;
}

/** Returns a table of comparisons. `commit` is that of the server before. */
export function comparisonTable(comparisons: Comparison[], commit: string): Table {
  return {
    title: `Against the server ${commit}, in turns; a ratio above 1 is better`,
    columns: ['goal', 'what', 'before', 'now', 'ratio', 'now ≥ before', 'verdict'],
    rows: comparisons.map(({ id, what, unit, before, now, ratio, rounds, roundsAtLeast, verdict }) => [
      id,
      what,
      formatFigure(before, unit),
      formatFigure(now, unit),
      ratio.toFixed(2),
      `${roundsAtLeast} of ${rounds}`,
      verdict,
    ]),
  };
}
