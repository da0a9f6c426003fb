import { Plan, type PlanLimits } from '@postrider/contract';
import type { Context } from '../context.ts';
import { largestShare, type Owner } from '../db/fair-connections.ts';

/** Returns the limits of the caller's plan, with the figures that configuration overrides. */
export function planLimits(ctx: Pick<Context, 'plan' | 'config'>): PlanLimits {
  return ctx.config.plans[ctx.plan];
}

/** Returns the owner for whom the embedded database's connection is used: the caller's workspace, with a share that its plan sets. */
export function ownerOf(ctx: Pick<Context, 'plan' | 'config' | 'workspaceId'>): Owner {
  return {
    name: ctx.workspaceId,
    share: Math.min(largestShare, Math.max(1, planLimits(ctx).requests_per_second)),
  };
}

/** Returns whether there is a higher plan. A caller on the highest one is not told to upgrade. */
export function hasHigherPlan(plan: Plan): boolean {
  return plan !== Plan.options.at(-1);
}
