import { Plan, type PlanLimits } from '@postrider/contract';
import type { Context } from '../context.ts';
import { largestShare, type Owner } from '../db/fair-connections.ts';

/** What the caller's plan allows, with the figures that configuration overrides. */
export const planLimits = (ctx: Pick<Context, 'plan' | 'config'>): PlanLimits => ctx.config.plans[ctx.plan];

/** Whom the connection of the embedded database is asked for: the caller's workspace, as much as its plan is for. */
export const ownerOf = (ctx: Pick<Context, 'plan' | 'config' | 'workspaceId'>): Owner => ({
  name: ctx.workspaceId,
  share: Math.min(largestShare, Math.max(1, planLimits(ctx).requests_per_second)),
});

/** Whether there is a plan above: a caller that is on the highest is not told to upgrade. */
export const hasHigherPlan = (plan: Plan): boolean => plan !== Plan.options.at(-1);
