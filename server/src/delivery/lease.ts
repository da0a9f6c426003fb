/*
 * A process that works on a recipient holds its lease: `due_at` is in the future and is moved on while the work lasts. The lease of a
 * process that dies expires, and the delivery worker of any process takes the recipient over. A recipient that was not handed over is
 * tried again. One that was is never sent to again, because the message may have gone. `attempts` is the fence: taking a recipient
 * over raises it, by which a slow first owner learns that it may no longer hand over.
 */
import { sql } from 'kysely';
import { groupedQuery } from '../db/grouped-query.ts';
import { prepared } from '../db/prepared.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import type { RecipientKey } from './record-delivery.ts';

const leaseMs = 60_000;
/** The shortest lease, however fast time is made to run: a busy process needs a moment to renew it. */
const leaseLeastMs = 3_000;
const renewalsPerLease = 3;

/** Thrown if a recipient was cancelled or taken over before its message was handed over. */
export class LeaseLost extends Error {
  override name = 'LeaseLost' as const;
}

/** Returns when a lease taken now expires. */
export const leaseEnd = (deps: Pick<Deps, 'timeScale'>, at: Date): Date =>
  new Date(at.getTime() + leaseLengthMs(deps));

const leaseLengthMs = ({ timeScale }: Pick<Deps, 'timeScale'>): number =>
  Math.max(timeScale.scaleMs(leaseMs), leaseLeastMs);

/** A recipient that this process works on. */
export interface Lease extends RecipientKey {
  attempts: number;
}

/**
 * Records, before the first byte of a message leaves, that it may have gone from now on.
 *
 * @throws LeaseLost if another process has the recipient by now.
 */
export const markHandedOver = async (deps: Deps, lease: Lease): Promise<void> => {
  const at = deps.clock.now();
  const marked = await mark(deps, {
    workspace_id: lease.workspaceId,
    message_id: lease.messageId,
    address: lease.address,
    attempts: lease.attempts,
    due_at: leaseEnd(deps, at),
    at,
  });
  if (!marked) throw new LeaseLost(`${lease.messageId} was cancelled or taken over.`);
};

const markAll = prepared((db, { leases }: { leases: string }) =>
  sql<{
    marked: boolean;
  }>`select mark_handed_over(lease) as marked from jsonb_array_elements(${leases}::jsonb) lease`.compile(db),
);

const mark = groupedQuery(async (ctx, leases: object[]) =>
  (await markAll(ctx, { leases: JSON.stringify(leases) })).map(({ marked }) => marked),
);

/** Renews a lease until the returned function is called. */
export const keepLease = (deps: Deps, lease: Lease): (() => void) => {
  const timer = setInterval(() => {
    ofLease(deps, lease)
      .set({ due_at: leaseEnd(deps, deps.clock.now()) })
      .execute()
      .catch((error: unknown) =>
        deps.log.warn({ err: error, messageId: lease.messageId }, 'a lease was not renewed'),
      );
  }, leaseLengthMs(deps) / renewalsPerLease);
  return () => clearInterval(timer);
};

const ofLease = (deps: Deps, lease: Lease) =>
  acrossWorkspaces(deps, 'a lease names its workspace')
    .updateTable('message_recipients')
    .where('workspace_id', '=', lease.workspaceId)
    .where('message_id', '=', lease.messageId)
    .where('address', '=', lease.address)
    .where('attempts', '=', lease.attempts)
    .where('due_at', 'is not', null);
