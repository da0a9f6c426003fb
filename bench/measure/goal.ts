import { median } from './statistics.ts';

/** The goal for a figure: the floor must hold to ship, and the target is the aim. */
export interface Goal {
  /** As in the list of goals, such as `P1`, with a letter if one goal has several figures. */
  id: string;
  what: string;
  unit: string;
  better: 'higher' | 'lower';
  /** Null if the goal names none. */
  floor: number | null;
  /** Null if the goal names none. */
  target: number | null;
}

/** A figure of one round. If it is a ratio, it has the two rates that it was made of. */
export interface Figure {
  value: number;
  subject?: number;
  baseline?: number;
}

export type Verdict = 'target' | 'pass' | 'below' | 'not judged' | 'not measured';

/** The outcome of a goal in one run. */
export interface Outcome extends Goal {
  figures: Figure[];
  median: number | null;
  min: number | null;
  max: number | null;
  /** The greatest distance of the baseline from its own median, as a share of it; null if there is no baseline. */
  baselineSpread: number | null;
  verdict: Verdict;
  note?: string;
}

/** Above this, the machine varied too much for the ratio to mean anything. */
export const spreadMax = 0.4;

/** Compares the median of all rounds with the goal. */
export function judge(goal: Goal, figures: Figure[], note?: string): Outcome {
  const values = figures.map(({ value }) => value);
  const baselines = figures.flatMap(({ baseline }) => baseline ?? []);
  const middle = median(values);
  const baselineSpread = baselines.length === 0 ? null : measureSpread(baselines);
  return {
    ...goal,
    figures,
    median: middle,
    min: Math.min(...values),
    max: Math.max(...values),
    baselineSpread,
    verdict: (baselineSpread ?? 0) > spreadMax ? 'not judged' : chooseVerdict(goal, middle),
    ...(note === undefined ? {} : { note }),
  };
}

/** Returns the outcome of a goal whose baseline is not available here. */
export function notMeasured(goal: Goal, note: string): Outcome {
  return {
    ...goal,
    figures: [],
    median: null,
    min: null,
    max: null,
    baselineSpread: null,
    verdict: 'not measured',
    note,
  };
}

/** Returns the ratio of two rates of one round. */
export function ratio(subject: number, baseline: number): Figure {
  return {
    value: subject / baseline,
    subject,
    baseline,
  };
}

function measureSpread(values: number[]): number {
  const middle = median(values);
  return Math.max(...values.map((value) => Math.abs(value - middle))) / middle;
}

function chooseVerdict({ better, floor, target }: Goal, value: number): Verdict {
  const reaches = (limit: number) => (better === 'higher' ? value >= limit : value <= limit);
  if (target !== null && reaches(target)) return 'target';
  return floor === null || reaches(floor) ? (target === null ? 'target' : 'pass') : 'below';
}
