import type { Context } from '../../context.ts';
import { isStatementTimeout } from '../../db/database-errors.ts';
import { inTimedTransaction } from '../../db/transaction.ts';
import { type Budget, budgetOf, scanLimits } from './scan-limits.ts';

/** Work that compares messages, within a budget. */
type Work<T> = (ctx: Context, budget: Budget) => Promise<T>;

/**
 * Runs the statements of a search, each of which may take half a second. If one takes longer, the work starts again without any budget, so
 * that it compares as little as it can.
 */
export async function withinTime<T>(ctx: Context, canStartAgain: boolean, work: Work<T>): Promise<T> {
  try {
    return await inTimedTransaction(ctx, statementMsMax(ctx), (inside) => work(inside, budgetOf(ctx)));
  } catch (error) {
    if (!canStartAgain || !isStatementTimeout(error)) throw error;
    ctx.log.warn(
      { workspaceId: ctx.workspaceId },
      'a search took too long, and compares the newest messages only',
    );
    return inTimedTransaction(ctx, statementMsMax(ctx), (inside) =>
      work(inside, { examined: 0, untilMs: 0 }),
    );
  }
}

function statementMsMax({ timeScale }: Pick<Context, 'timeScale'>): number {
  return Math.max(timeScale.scaleMs(scanLimits.msMax), 50);
}
