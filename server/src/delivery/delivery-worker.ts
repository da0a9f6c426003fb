import type { DeliveryStatus } from '@postrider/contract';
import { sql } from 'kysely';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { wait } from '../lib/concurrency/wait.ts';
import { deferredByRelay, type Outcome } from '../mail/transports/transport.ts';
import { findOriginal } from '../messages/originals.ts';
import { type DeliveryJob, deliver, settle } from './dispatch.ts';
import { leaseEnd } from './lease.ts';

const pollIntervalMs = 1_000;
const underwayMax = 20;

/**
 * Delivers to recipients that are due: those that were deferred, and those whose process died. Any number of processes may run a
 * worker, and each row is claimed by one of them. Returns a function that stops it; deliveries under way go on in the background.
 */
export const startDeliveryWorker = (deps: Deps): (() => Promise<void>) => {
  const stop = new AbortController();
  let underway = 0;
  const loop = async () => {
    while (!stop.signal.aborted) {
      const claimed = await claimDue(deps, underwayMax - underway).catch((error: unknown) => {
        deps.log.error({ err: error }, 'due deliveries were not claimed');
        return [];
      });
      for (const job of claimed) {
        underway++;
        deps.background.run(takeOver(deps, job).finally(() => underway--));
      }
      const more = claimed.length > 0 && underway < underwayMax;
      if (!more) await wait(deps.timeScale.scaleMs(pollIntervalMs), stop.signal);
    }
  };
  const ended = loop();
  return async () => {
    stop.abort();
    await ended;
  };
};

/** A claimed recipient with its status before. */
interface Claimed extends DeliveryJob {
  status: DeliveryStatus;
  inboxId: string;
}

const takeOver = async (deps: Deps, job: Claimed): Promise<unknown> => {
  if (job.status === 'sending') {
    return settle(deps, job, {
      kind: 'unconfirmed',
      detail:
        'this server ended after handing the message over and before the answer; it may or may not have gone',
    });
  }
  // After delivery only a simulated recipient is due again: it complains.
  if (job.status === 'delivered') return settle(deps, job, { kind: 'complained', feedbackType: 'abuse' });
  const raw = await findRaw(deps, job);
  return 'kind' in raw ? settle(deps, job, raw) : deliver(deps, job, raw);
};

/** Returns the original, or the outcome without it: a lost one is never sent, and one out of reach is tried again. */
const findRaw = async (deps: Deps, job: Claimed): Promise<Buffer | Outcome> => {
  try {
    const message = { workspace_id: job.workspaceId, inbox_id: job.inboxId, id: job.messageId };
    const raw = await findOriginal(deps, message);
    if (raw) return raw;
    deps.log.error({ messageId: job.messageId }, 'the original of a message to deliver is lost');
    const detail = 'The original of the message is missing from the store of files.';
    return { kind: 'rejected', scope: 'message', code: null, enhanced: null, detail };
  } catch (error) {
    deps.log.warn(
      { err: error, messageId: job.messageId },
      'the original of a message to deliver was not read',
    );
    return deferredByRelay('The store of files is away.');
  }
};

const claimDue = async (deps: Deps, limit: number): Promise<Claimed[]> => {
  if (limit <= 0) return [];
  const now = deps.clock.now();
  const db = acrossWorkspaces(deps, 'deliveries are due in all workspaces');
  const due = db
    .selectFrom('message_recipients as d')
    .innerJoin('inboxes as live', (on) =>
      on.onRef('live.workspace_id', '=', 'd.workspace_id').onRef('live.id', '=', 'd.inbox_id'),
    )
    .select(['d.workspace_id', 'd.message_id', 'd.address'])
    .where('d.due_at', '<=', now)
    .where('live.deleted_at', 'is', null)
    .orderBy('d.due_at')
    .limit(limit)
    .forUpdate('d')
    .skipLocked();
  const rows = await db
    .with('due', () => due)
    .updateTable('message_recipients as r')
    .from('due')
    .from('inboxes as i')
    .from('workspaces as w')
    // A recipient that was handed over is not tried again, so its number of attempts does not change.
    .set({ due_at: leaseEnd(deps, now), attempts: sql`r.attempts + (r.status <> 'sending')::int` })
    .whereRef('r.workspace_id', '=', 'due.workspace_id')
    .whereRef('r.message_id', '=', 'due.message_id')
    .whereRef('r.address', '=', 'due.address')
    .whereRef('i.workspace_id', '=', 'r.workspace_id')
    .whereRef('i.id', '=', 'r.inbox_id')
    .whereRef('w.id', '=', 'r.workspace_id')
    .where('i.deleted_at', 'is', null)
    .returning(['r.workspace_id', 'r.message_id', 'r.address', 'r.attempts', 'r.expires_at', 'r.status'])
    .returning(['r.inbox_id', 'r.position', 'i.address as envelope_from', 'w.is_test'])
    .execute();
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    messageId: row.message_id,
    address: row.address,
    attempts: row.attempts,
    expiresAt: row.expires_at,
    envelopeFrom: row.envelope_from,
    position: row.position,
    inboxId: row.inbox_id,
    isTest: row.is_test,
    status: row.status,
  }));
};

/**
 * Ends the leases that a dead process left. It is for the embedded database only, which one process has for itself, so that no
 * lease can be held when that starts.
 */
export const releaseLeases = async (deps: Deps): Promise<void> => {
  await acrossWorkspaces(deps, 'at the start nobody holds a lease')
    .updateTable('message_recipients')
    .set({ due_at: deps.clock.now() })
    .where('due_at', 'is not', null)
    .where('status', 'in', ['queued', 'sending'])
    .execute();
};
