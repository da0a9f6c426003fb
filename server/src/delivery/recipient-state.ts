/*
 * Processes write three things about a recipient: its lease (`lib/clock.ts`), the handover of the message, and the outcome. If the lease
 * ends before the handover, another attempt follows. After the handover there is never another one, because the message may have left.
 */
import { sql } from 'kysely';
import { batchedQuery } from '../db/batched.ts';
import { prepared } from '../db/prepared.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { leaseEnd, leaseMs } from '../lib/clock.ts';
import { sha256 } from '../lib/crypto/primitives.ts';
import type { DeliveryChange } from './delivery-outcome.ts';

/**
 * A message must begin to leave within this time after it was recorded that it may. Otherwise that is recorded again, because a pause no
 * longer waits for older records (`policies/change-sending.ts`).
 */
const handoverWithinMs = 4_000;

/** The lease of a recipient. */
export const recipientLease = { ms: 60_000, leastMs: 3_000 };
const renewalsPerLease = 3;

/** Returns whether the record that a message is being handed over is so old that it must be renewed. */
export function isHandoverLate(deps: Pick<Deps, 'timeScale'>, begunMs: number): boolean {
  return performance.now() - begunMs > Math.min(handoverWithinMs, leaseMs(deps, recipientLease) / 2);
}

/** Thrown if a recipient was cancelled or taken over before its message was handed over. */
export class LeaseLost extends Error {
  override name = 'LeaseLost' as const;
}

/** A recipient that this process works on. */
export interface Lease extends RecipientKey {
  attempts: number;
}

/**
 * Records, before the first byte of a message leaves, that it may have been sent from now on.
 *
 * @throws LeaseLost if another process has the recipient by now, or sending is paused.
 */
export async function markHandedOver(deps: Deps, lease: Lease): Promise<void> {
  if (!(await markInTime(deps, lease, false)))
    throw new LeaseLost(`${lease.messageId} was cancelled, taken over or paused.`);
}

/** Records the same again for a recipient that is recorded as `sending`. Returns false if that is no longer allowed. */
export function markAgain(deps: Deps, lease: Lease): Promise<boolean> {
  return markInTime(deps, lease, true);
}

/** Repeats what took so long that a pause may have ended in between. */
async function markInTime(deps: Deps, lease: Lease, again: boolean): Promise<boolean> {
  const begunMs = performance.now();
  if (!(await markOnce(deps, lease, again))) return false;
  return !isHandoverLate(deps, begunMs) || markInTime(deps, lease, true);
}

function markOnce(deps: Deps, lease: Lease, again: boolean): Promise<boolean> {
  const at = deps.clock.now();
  return mark(deps, {
    workspace_id: lease.workspaceId,
    message_id: lease.messageId,
    address: lease.address,
    attempts: lease.attempts,
    due_at: leaseEnd(deps, recipientLease, at),
    at,
    ...(again && { again }),
  });
}

const markAll = prepared((db, { leases }: { leases: string }) =>
  sql<{ position: number; marked: boolean }>`select position::int, mark_handed_over(lease) as marked
    from jsonb_array_elements(${leases}::jsonb) with ordinality as l(lease, position)`.compile(db),
);

const mark = batchedQuery(async (ctx, leases: ({ workspace_id: string } & Record<string, unknown>)[]) => {
  // All transactions lock workspaces in one order.
  const workspaceOf = (index: number) => leases[index]!.workspace_id;
  const order = [...leases.keys()].sort((a, b) => (workspaceOf(a) < workspaceOf(b) ? -1 : 1));
  const rows = await markAll(ctx, { leases: JSON.stringify(order.map((index) => leases[index])) });
  const marked = leases.map(() => false);
  for (const row of rows) marked[order[row.position - 1]!] = row.marked;
  return marked;
});

/** Renews a lease until the returned function is called. */
export function keepLease(deps: Deps, lease: Lease): () => void {
  const timer = setInterval(() => {
    updateLeased(deps, lease)
      .set({ due_at: leaseEnd(deps, recipientLease, deps.clock.now()) })
      .execute()
      .catch((error: unknown) =>
        deps.log.warn({ err: error, messageId: lease.messageId }, 'a lease was not renewed'),
      );
  }, leaseMs(deps, recipientLease) / renewalsPerLease);
  return () => clearInterval(timer);
}

function updateLeased(deps: Deps, lease: Lease) {
  return acrossWorkspaces(deps, 'a lease names its workspace')
    .updateTable('message_recipients')
    .where('workspace_id', '=', lease.workspaceId)
    .where('message_id', '=', lease.messageId)
    .where('address', '=', lease.address)
    .where('attempts', '=', lease.attempts)
    .where('due_at', 'is not', null);
}

/** A recipient of a message. */
export interface RecipientKey {
  workspaceId: string;
  messageId: string;
  address: string;
}

/**
 * Records the outcome of a recipient, with its suppression and events, by the database function `record_delivery`. Outcomes that
 * arrive at the same time share a transaction. Returns false if the current status does not allow the change, or if another process
 * has the recipient by now (`attempts` is higher then). In that case only a missing id of the provider is recorded.
 */
export async function recordOutcome(
  deps: Pick<Deps, 'db' | 'memory' | 'wakeups'>,
  key: RecipientKey,
  change: DeliveryChange,
  at: Date,
  attempts: number | null,
): Promise<boolean> {
  const changed = await record(deps, {
    workspace_id: key.workspaceId,
    message_id: key.messageId,
    address: key.address,
    status: change.status,
    from_statuses: change.fromStatuses,
    detail: change.detail,
    due_at: change.dueAt,
    provider_message_id: change.providerMessageId,
    ...(change.sandboxed && { sandboxed: true }),
    at,
    attempts,
    ...(change.messageIds.length > 0 && {
      own_ids: change.messageIds.map((id) => sha256(id).toString('hex')),
    }),
    ...(change.suppression && { suppression: change.suppression }),
    ...(change.events.length > 0 && { events: change.events }),
  });
  deps.wakeups.wake(key.workspaceId);
  return changed;
}

const recordAll = prepared((db, { outcomes }: { outcomes: string }) =>
  sql<{
    position: number;
    changed: boolean;
  }>`select position::int, record_delivery(outcome) as changed
    from jsonb_array_elements(${outcomes}::jsonb) with ordinality as o(outcome, position)`.compile(db),
);

const record = batchedQuery(
  async (ctx, outcomes: ({ message_id: string; address: string } & Record<string, unknown>)[]) => {
    // A fixed order makes deadlocks rare. After a deadlock, each outcome is recorded separately.
    const keyOf = (index: number) => `${outcomes[index]!.message_id} ${outcomes[index]!.address}`;
    const order = [...outcomes.keys()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const rows = await recordAll(ctx, { outcomes: JSON.stringify(order.map((index) => outcomes[index])) });
    const changed = outcomes.map(() => false);
    for (const row of rows) changed[order[row.position - 1]!] = row.changed;
    return changed;
  },
);
