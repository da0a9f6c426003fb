import type { MessagePage, SearchMode } from '@postrider/contract';
import type { Context } from '../../context.ts';
import { planLimits } from '../../workspaces/plan.ts';

/** The mode that a search runs in, and why if it is not the one that was asked for. */
export interface ModeChosen {
  modeUsed: SearchMode;
  fallbackReason?: MessagePage['fallback_reason'];
}

/** Returns the mode that the caller's plan and this server allow. Keyword search always runs. */
export function chooseMode(ctx: Pick<Context, 'plan' | 'config'>, asked: SearchMode = 'keyword'): ModeChosen {
  if (asked === 'keyword') return { modeUsed: asked };
  if (!planLimits(ctx).semantic_search) return { modeUsed: 'keyword', fallbackReason: 'plan' };
  return { modeUsed: 'keyword', fallbackReason: 'unavailable' };
}
