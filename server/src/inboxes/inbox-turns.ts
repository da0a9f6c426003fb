import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/transaction.ts';
import { createFairTurns } from '../lib/concurrency/fair-turns.ts';

/**
 * Workspaces make and delete inboxes one at a time, and rest as long as that took: each is many statements, and those that wait for the
 * lock of their workspace would wait on connections that others need.
 */
const turns = createFairTurns({ atOnceMax: () => 4, atOnceOf: () => 1, rest: (tookMs) => pause(tookMs) });

/** Runs a transaction that makes or deletes an inbox, in the workspace's turn. */
export const inInboxTurn = <T>(ctx: Context, work: (tx: Context) => Promise<T>): Promise<T> =>
  turns.run(ctx.workspaceId, () => inTransaction(ctx, work));
