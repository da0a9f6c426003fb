import type { TierResult } from './run-tier.ts';
import type { Tier } from './tiers.ts';

/** A tier is over its budget only by half of it, because two runs on one machine differ by a fifth. */
const tolerance = 1.5;

/** The processor time of a tier beside its budget, both in units of the fixed calculation. `units` is null if the time is not known. */
export interface Spending {
  units: number | null;
  budget: number;
  isOver: boolean;
}

/** Compares the processor time of a tier with its budget. `unitSeconds` comes from `measureUnit`. */
export function compareWithBudget(
  { processorSeconds }: Pick<TierResult, 'processorSeconds'>,
  { budget }: Pick<Tier, 'budget'>,
  unitSeconds: number,
): Spending {
  const units = processorSeconds === null ? null : Math.round(processorSeconds / unitSeconds);
  return { units, budget, isOver: units !== null && units > budget * tolerance };
}

/** Returns the sentence about a tier that is over its budget. */
export function sayOverBudget(name: string, { units, budget }: Spending): string {
  return `${name} took ${units} units of processor time, and its budget is ${budget}: make it cheaper, or raise the budget in scripts/check/tiers.ts`;
}

/** Returns a result that fails, in addition to what its tests say, because the tier is over its budget. */
export function failForBudget(result: TierResult, spending: Spending): TierResult {
  const sentence = sayOverBudget(result.name, spending);
  const { counts } = result;
  return {
    ...result,
    ok: false,
    counts: counts && { ...counts, failed: counts.failed + 1 },
    output: result.ok ? `${sentence}\n` : result.output,
    failures: [...result.failures, sentence],
  };
}
