import { type PlanLimits, plans } from '@postrider/contract';
import type { Context } from '../context.ts';

/** What the caller's plan allows, with the figures that configuration overrides. */
export const planLimits = (ctx: Pick<Context, 'plan' | 'config'>): PlanLimits => {
  const overrides = Object.entries(ctx.config.plans[ctx.plan] ?? {}).filter(
    ([, figure]) => figure !== undefined,
  );
  return { ...plans[ctx.plan], ...Object.fromEntries(overrides) };
};
