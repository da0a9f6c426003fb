import { Plan, type PlanLimits } from '@postrider/contract';
import type { Context } from '../context.ts';

/** Returns the limits of the caller's plan, with the figures that configuration overrides. */
export function planLimits(ctx: Pick<Context, 'plan' | 'config'>): PlanLimits {
  return ctx.config.plans[ctx.plan];
}

/** Returns whether there is a higher plan. A caller on the highest one is not told to upgrade. */
export function hasHigherPlan(plan: Plan): boolean {
  return plan !== Plan.options.at(-1);
}
