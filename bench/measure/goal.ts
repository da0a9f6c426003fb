import { median } from './statistics.ts';

/** What a figure should be: the floor must hold to ship, the target is what is aimed for. */
export interface Goal {
  /** As in the list of goals, such as `P1`, with a letter where one goal has several figures. */
  id: string;
  what: string;
  unit: string;
  better: 'higher' | 'lower';
  /** Null where the goal names none. */
  floor: number | null;
  /** Null where the goal names none. */
  target: number | null;
}

/** A figure of one round; where it is a ratio, with the two rates that it was made of. */
export interface Figure {
  value: number;
  subject?: number;
  baseline?: number;
}

export type Verdict = 'target' | 'pass' | 'below' | 'not judged' | 'not measured';

/** What came of a goal in one run. */
export interface Outcome extends Goal {
  figures: Figure[];
  median: number | null;
  min: number | null;
  max: number | null;
  /** How far the baseline strayed from its own median, as a share of it; null where there is no baseline. */
  baselineSpread: number | null;
  verdict: Verdict;
  note?: string;
}

/** Above this, the machine was too restless for the ratio to say anything. */
export const spreadMax = 0.4;

/** Compares the median of all rounds with the goal. */
export const judge = (goal: Goal, figures: Figure[], note?: string): Outcome => {
  const values = figures.map(({ value }) => value);
  const baselines = figures.flatMap(({ baseline }) => baseline ?? []);
  const middle = median(values);
  const baselineSpread = baselines.length === 0 ? null : spreadOf(baselines);
  return {
    ...goal,
    figures,
    median: middle,
    min: Math.min(...values),
    max: Math.max(...values),
    baselineSpread,
    verdict: (baselineSpread ?? 0) > spreadMax ? 'not judged' : verdictOf(goal, middle),
    ...(note === undefined ? {} : { note }),
  };
};

/** For a goal whose baseline cannot be had here. */
export const notMeasured = (goal: Goal, note: string): Outcome => ({
  ...goal,
  figures: [],
  median: null,
  min: null,
  max: null,
  baselineSpread: null,
  verdict: 'not measured',
  note,
});

/** A ratio of two rates of one round. */
export const ratio = (subject: number, baseline: number): Figure => ({
  value: subject / baseline,
  subject,
  baseline,
});

const spreadOf = (values: number[]): number => {
  const middle = median(values);
  return Math.max(...values.map((value) => Math.abs(value - middle))) / middle;
};

const verdictOf = ({ better, floor, target }: Goal, value: number): Verdict => {
  const reaches = (limit: number) => (better === 'higher' ? value >= limit : value <= limit);
  if (target !== null && reaches(target)) return 'target';
  return floor === null || reaches(floor) ? (target === null ? 'target' : 'pass') : 'below';
};
