import type { DeliveryStatus } from '@postrider/contract';
import { sql } from 'kysely';
import { prepared } from '../db/prepared.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { Lanes } from '../lib/admission/lanes.ts';
import { directRetryLanes, retryLanes } from '../lib/admission/server-limits.ts';
import { leaseEnd } from '../lib/clock.ts';
import { nothingDue, startLoop } from '../lib/concurrency/worker-loop.ts';
import { recipientDomain } from '../mail/transports/hand-over.ts';
import { deferredByRelay, type Outcome } from '../mail/transports/transport.ts';
import { readTraceparents } from '../messages/message-traces.ts';
import { contentHash, findOriginal } from '../messages/originals.ts';
import { type DeliveryJob, deliver, settle, type Written } from './dispatch.ts';
import { markHandedOver, recipientLease } from './recipient-state.ts';

/**
 * Delivers to due recipients: those that were deferred, and those whose process died. Any number of processes can run a worker, and each
 * row is claimed by one of them. Returns a function that stops the worker; deliveries in progress continue in the background.
 */
export function startDeliveryWorker(deps: Deps): () => Promise<void> {
  const lanes = new Lanes(deps.config.transport === 'direct' ? directRetryLanes : retryLanes);
  const run = async (job: Claimed) => {
    const destination = recipientDomain(job.address);
    const place = lanes.enter(destination);
    try {
      const written = await takeOver(deps, job);
      lanes.note(destination, written?.status === 'deferred');
    } finally {
      place.leave();
      // More may be due than there was room for.
      loop.wake();
    }
  };
  const loop = startLoop({
    look: async () => {
      const { claimed, dueInMs } = await claimDue(deps, lanes);
      for (const job of claimed) deps.background.run(run(job));
      return dueInMs;
    },
    onError: (error) => deps.log.error({ err: error }, 'due deliveries were not claimed'),
    lookAgainMs: deps.lookAgainMs,
    periodMs: (tookMs) => 2 * tookMs,
  });
  const unlisten = deps.wakeups.listenToAll(loop.wake, 'deliveries');
  return () => {
    unlisten();
    return loop.stop();
  };
}

/** A claimed recipient with its status before. */
interface Claimed extends DeliveryJob {
  /** `expired` if the message expired while sending was paused. */
  status: DeliveryStatus | 'expired';
  inboxId: string;
}

async function takeOver(deps: Deps, job: Claimed): Promise<Written | null> {
  if (job.status === 'sending') {
    return settle(deps, job, {
      kind: 'unconfirmed',
      detail:
        'this server stopped after it handed the message over and before the reply; the message may or may not have been sent',
    });
  }
  if (job.status === 'expired')
    return settle(deps, job, deferredByRelay('sending was paused until the message expired'));
  // After delivery only a simulated recipient is due again: it complains.
  if (job.status === 'delivered') return settle(deps, job, { kind: 'complained', feedbackType: 'abuse' });
  const raw = await findRaw(deps, job);
  if ('kind' in raw) return settle(deps, job, raw);
  const causes = await readTraceparents(deps, job.workspaceId, [job.messageId]);
  const caused = { ...job, traceparent: causes.get(job.messageId) ?? null };
  return deliver(deps, caused, raw, { handOver: (handed) => markHandedOver(deps, handed) });
}

/** Returns the original, or the outcome without it: a lost one is never sent, and one out of reach is tried again. */
async function findRaw(deps: Deps, job: Claimed): Promise<Buffer | Outcome> {
  try {
    const message = { workspace_id: job.workspaceId, inbox_id: job.inboxId, id: job.messageId };
    const raw = await findOriginal(deps, message);
    if (raw && (await isAsApproved(deps, job, raw))) return raw;
    if (raw) return refusedHere(deps, job, 'The message is not the one that people approved.');
    return refusedHere(deps, job, 'The original of the message is missing from the file storage.');
  } catch (error) {
    deps.log.warn(
      { err: error, messageId: job.messageId },
      'the original of a message to deliver was not read',
    );
    return deferredByRelay('The file storage is unavailable.');
  }
}

function refusedHere(deps: Deps, { messageId }: Claimed, detail: string): Outcome {
  deps.log.error({ messageId, detail }, 'a message to deliver was refused by this server');
  return { kind: 'rejected', scope: 'message', code: null, enhanced: null, detail };
}

/**
 * Compares the message to send with what people saw when they approved it. The approval is read after the claim, not with it: a claim takes
 * recipients that became due since its statement began, and that statement would still see their approval as held.
 */
async function isAsApproved(deps: Deps, job: Claimed, raw: Buffer): Promise<boolean> {
  const rows = acrossWorkspaces(deps, 'a claimed recipient names its workspace');
  const approval = await rows
    .selectFrom('approvals')
    .select(['state', 'content_hash'])
    .where('workspace_id', '=', job.workspaceId)
    .where('message_id', '=', job.messageId)
    .executeTakeFirst();
  if (!approval) return true;
  if (approval.state !== 'approved') return false;
  const recipients = await rows
    .selectFrom('message_recipients')
    .select(['address', 'kind'])
    .where('workspace_id', '=', job.workspaceId)
    .where('message_id', '=', job.messageId)
    .execute();
  return contentHash(raw, recipients).equals(approval.content_hash);
}

/** Claims as many due recipients as there is room for, and returns with them the time in ms until more are due. */
async function claimDue(deps: Deps, lanes: Lanes): Promise<{ claimed: Claimed[]; dueInMs: number }> {
  if (lanes.free === 0) return { claimed: [], dueInMs: nothingDue };
  const at = deps.clock.now();
  const db = acrossWorkspaces(deps, 'deliveries are due in all workspaces');
  const room = {
    at,
    lease_end: leaseEnd(deps, recipientLease, at),
    free: lanes.free,
    room: lanes.roomOfIdle,
    rooms: lanes.rooms(),
    failing: lanes.failing,
    free_of_failing: lanes.freeOfFailing,
  };
  const rows = await claim({ db }, { room: JSON.stringify(room) });
  const claimed = rows.filter((row): row is ClaimedRow => row.status !== 'next').map(claimedOf);
  const nextAt = rows.find(({ status }) => status === 'next')?.expires_at;
  return { claimed, dueInMs: nextAt ? Math.max(0, nextAt.getTime() - at.getTime()) : nothingDue };
}

function claimedOf(row: ClaimedRow): Claimed {
  return {
    workspaceId: row.workspace_id,
    messageId: row.message_id,
    address: row.address,
    attempts: row.attempts,
    expiresAt: row.expires_at,
    envelopeFrom: row.envelope_from,
    position: row.position,
    inboxId: row.inbox_id,
    isTest: row.is_test,
    hasOwnDomain: row.has_own_domain,
    status: row.status,
  };
}

interface ClaimedRow {
  workspace_id: string;
  message_id: string;
  address: string;
  attempts: number;
  expires_at: Date;
  status: Claimed['status'];
  inbox_id: string;
  position: number;
  envelope_from: string;
  is_test: boolean;
  has_own_domain: boolean;
}

const claim = prepared((db, { room }: { room: string }) =>
  sql<
    ClaimedRow | { status: 'next'; expires_at: Date }
  >`select c.workspace_id, c.message_id, c.address, c.attempts, c.expires_at, c.status, c.inbox_id, c.position,
      c.envelope_from, c.is_test, i.domain_id is not null as has_own_domain
    from claim_recipients(${room}::jsonb) c left join inboxes i on i.workspace_id = c.workspace_id and i.id = c.inbox_id`.compile(
    db,
  ),
);
