import type { Context } from '../context.ts';
import { inTransaction } from '../db/transaction.ts';
import { inboxSlots } from '../lib/admission/server-limits.ts';
import { Slots } from '../lib/admission/slots.ts';
import { perServer } from '../lib/memory.ts';

/**
 * Each workspace creates and deletes one inbox at a time, and rests for as long as that took, within limits. Each takes many statements,
 * and transactions that wait for the lock of their workspace would occupy connections that others need.
 */
const slotsOf = perServer(() => new Slots(inboxSlots));

/** Runs a transaction that creates or deletes an inbox, in the workspace's turn. */
export function inInboxTurn<T>(ctx: Context, work: (tx: Context) => Promise<T>): Promise<T> {
  return slotsOf(ctx).run(ctx.workspaceId, () => inTransaction(ctx, work));
}
