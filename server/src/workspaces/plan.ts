import { Plan, type PlanLimits } from '@postrider/contract';
import type { Context } from '../context.ts';

/** What the caller's plan allows, with the figures that configuration overrides. */
export const planLimits = (ctx: Pick<Context, 'plan' | 'config'>): PlanLimits => ctx.config.plans[ctx.plan];

/** Whether there is a plan above: a caller that is on the highest is not told to upgrade. */
export const hasHigherPlan = (plan: Plan): boolean => plan !== Plan.options.at(-1);
