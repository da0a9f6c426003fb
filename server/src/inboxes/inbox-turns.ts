import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/transaction.ts';
import { createFairLimiter } from '../lib/concurrency/fair-limiter.ts';
import { restMsAfter } from '../lib/concurrency/rest.ts';
import { perServer } from '../lib/per-server.ts';

const rest = { share: 1, msMax: 250 };

/**
 * Each workspace creates and deletes one inbox at a time, and rests for as long as that took, within limits. Each takes many statements,
 * and transactions that wait for the lock of their workspace would occupy connections that others need.
 */
const limiterOf = perServer(() =>
  createFairLimiter({
    atOnceMax: () => 4,
    atOnceOf: () => 1,
    rest: (tookMs) => pause(restMsAfter(tookMs, rest)),
  }),
);

/** Runs a transaction that creates or deletes an inbox, in the workspace's turn. */
export function inInboxTurn<T>(ctx: Context, work: (tx: Context) => Promise<T>): Promise<T> {
  return limiterOf(ctx).run(ctx.workspaceId, () => inTransaction(ctx, work));
}
