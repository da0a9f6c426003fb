import type { DeliveryStatus, EventKind } from '@postrider/contract';
import type { NewEvent } from '../events/write-log.ts';
import type { TimeScale } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Deferred, Outcome } from '../mail/transports/transport.ts';

const minute = 60_000;
const hour = 60 * minute;

/** The waits between attempts for a deferred recipient. The last one repeats until the message expires. */
export const retryDelaysMs = [minute, 5 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 4 * hour];

/** The consequences of an attempt for its recipient. */
export interface DeliveryChange {
  status: DeliveryStatus;
  /** The statuses from which this change is possible. A late or repeated report finds a different one. */
  fromStatuses: DeliveryStatus[];
  /** Whether any process can record it, not only the one that holds the lease. */
  isEvidence: boolean;
  detail: string | null;
  /** Whether the sandbox kept the mail instead of sending it. */
  sandboxed: boolean;
  dueAt: Date | null;
  providerMessageId: string | null;
  /** Further Message-IDs by which mail may name the message. */
  messageIds: string[];
  suppression: 'hard_bounce' | 'soft_bounce' | 'complaint' | null;
  /** Only the first deferral of a recipient enters the log. */
  events: NewEvent[];
}

/** The attempt that an outcome belongs to. */
export interface Attempt {
  recipient: string;
  attempts: number;
  expiresAt: Date;
  at: Date;
  timeScale: TimeScale;
}

/**
 * Decides the outcome of a recipient by the rules of the specification. If the recipient was refused, it has bounced. If the message
 * was refused, it is rejected. If it was deferred, it is tried again until the message expires; then it has bounced softly, or failed
 * if no relay took it. If the delivery is unconfirmed, it has failed and is never tried again.
 */
export function decideDelivery(outcome: Outcome, attempt: Attempt): DeliveryChange {
  switch (outcome.kind) {
    case 'accepted':
      return {
        ...settled(outcome.final ? 'delivered' : 'sent', outcome.detail),
        ...(outcome.final && evidence),
        providerMessageId: outcome.providerMessageId,
        messageIds: outcome.messageIds ?? [],
        dueAt: addDelay(attempt, outcome.complaintAfterMs),
        sandboxed: outcome.isSandboxed ?? false,
        events: [event(attempt, outcome.final ? 'message.delivered' : 'message.sent', {})],
      };
    case 'rejected':
      return outcome.scope === 'recipient'
        ? bounced(outcome.isSoft ? 'soft' : 'hard', outcome, attempt)
        : { ...settled('rejected', outcome.detail), events: [rejectedEvent(attempt, outcome.detail)] };
    case 'deferred':
      if (attempt.at < attempt.expiresAt) return deferred(outcome, attempt);
      if (outcome.cause === 'recipient') return bounced('soft', outcome, attempt);
      return {
        ...settled('failed', `expired: ${outcome.detail}`),
        events: [rejectedEvent(attempt, 'expired')],
      };
    case 'unconfirmed':
      return settled('failed', `unconfirmed: ${outcome.detail}`);
    case 'complained':
      return decideComplaint(outcome.feedbackType, attempt);
  }
}

/** The recipient that a report is about, and when the report came. */
export type Reported = Pick<Attempt, 'recipient' | 'at'>;

/**
 * Decides the outcome of a complaint: the address is suppressed, whatever the status of the message, unless it has bounced.
 * `feedbackType` is that of RFC 5965; null if the report has none.
 */
export function decideComplaint(feedbackType: string | null, reported: Reported): DeliveryChange {
  return {
    ...settled('complained', feedbackType === null ? 'complaint' : `feedback: ${feedbackType}`),
    ...evidence,
    fromStatuses: [...evidence.fromStatuses, 'delivered'],
    suppression: 'complaint',
    events: [event(reported, 'message.complained', { complaint: { feedback_type: feedbackType } })],
  };
}

/** The statuses of a recipient that is being delivered to. */
export const underway: DeliveryStatus[] = ['queued', 'sending', 'deferred'];

/** A peer's word on a recipient counts whichever process heard it, even if the recipient was given up meanwhile. */
export const evidence: Pick<DeliveryChange, 'fromStatuses' | 'isEvidence'> = {
  fromStatuses: [...underway, 'sent', 'failed'],
  isEvidence: true,
};

/** Returns a final status that has no further effects. */
export function settled(status: DeliveryStatus, detail: string | null): DeliveryChange {
  return {
    status,
    fromStatuses: underway,
    isEvidence: false,
    detail,
    sandboxed: false,
    dueAt: null,
    providerMessageId: null,
    messageIds: [],
    suppression: null,
    events: [],
  };
}

function addDelay(attempt: Attempt, delayMs: number | undefined): Date | null {
  return delayMs === undefined ? null : attempt.timeScale.after(attempt.at, delayMs);
}

function deferred({ detail, retryAfterMs }: Deferred, attempt: Attempt): DeliveryChange {
  const usualMs = retryDelaysMs[Math.min(attempt.attempts, retryDelaysMs.length) - 1] ?? minute;
  const next = attempt.timeScale.after(attempt.at, retryAfterMs ?? usualMs);
  // The last attempt happens at the expiry itself, and its outcome decides.
  const dueMs = Math.min(next.getTime(), attempt.expiresAt.getTime());
  return {
    ...settled('deferred', detail),
    dueAt: new Date(dueMs),
    events: [event(attempt, 'message.deferred', { detail })],
  };
}

function bounced(
  type: 'hard' | 'soft',
  outcome: { code: number | null; enhanced: string | null; detail: string },
  attempt: Attempt,
): DeliveryChange {
  return {
    ...settled('bounced', outcome.detail),
    ...evidence,
    suppression: `${type}_bounce`,
    events: [
      event(attempt, 'message.bounced', {
        bounce: {
          type,
          code: outcome.enhanced ?? outcome.code?.toString() ?? null,
          diagnostic: outcome.detail,
        },
      }),
    ],
  };
}

function rejectedEvent(attempt: Reported, reason: string) {
  return event(attempt, 'message.rejected', { reason });
}

/** Returns an event about one recipient. */
export function event(attempt: Reported, kind: EventKind, extra: Record<string, unknown>): NewEvent {
  return {
    id: newId('evt', attempt.at),
    event: kind,
    extra: { recipient: attempt.recipient, ...extra },
  };
}
