import { limits } from '@postrider/contract';
import { sql } from 'kysely';
import { appendAudit, serverItself } from '../../audit/append-audit.ts';
import { batchedQuery } from '../../db/batched.ts';
import { inTransaction } from '../../db/connections.ts';
import { prepared } from '../../db/prepared.ts';
import { acrossWorkspaces, scoped } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import type { TimeScale } from '../../lib/clock.ts';
import { wholeWorkspace } from '../../lib/scope.ts';
import type { ClaimedDelivery, DeliveryRow } from '../delivery.ts';
import { cancelDeliveries } from '../end-deliveries.ts';
import { auditedUrl } from '../webhook.view.ts';

/** The result of an attempt. */
export interface AttemptResult {
  attempt: DeliveryRow['attempts'][number];
  status: DeliveryRow['status'];
  nextAt: Date | null;
}

/**
 * Records an attempt with its effects, unless the delivery was cancelled or taken over meanwhile. A webhook with nothing but failures for
 * 5 days is stopped.
 */
export async function recordAttempt(
  deps: Deps,
  delivery: ClaimedDelivery,
  { attempt, status, nextAt }: AttemptResult,
): Promise<void> {
  const { webhook_id } = delivery;
  const failing = await record(
    deps,
    makeEntry(deps, delivery, {
      webhook_id,
      attempt,
      status,
      next_at: nextAt,
      // The result of a sample says nothing about events. A repeated event counts.
      counts: delivery.origin !== 'sample',
    }),
  );
  if (failing.includes(webhook_id)) await stopFailing(deps, delivery);
}

/** Gives a delivery back that was not attempted (`pending`), or cancels it (`failed`). */
export async function giveBack(
  deps: Deps,
  delivery: ClaimedDelivery,
  status: 'pending' | 'failed',
): Promise<void> {
  await record(deps, makeEntry(deps, delivery, { attempt: null, status }));
}

interface Entry {
  at: Date;
  failingFrom: Date;
  item: object;
  /** Whether to wait until the result is on the disk. A manual delivery does, because its caller is told the result. */
  isAnswered: boolean;
}

/** All entries of a statement share its times. */
function makeEntry(
  { clock, timeScale }: Deps,
  { workspace_id, id, fence, origin }: ClaimedDelivery,
  outcome: object,
): Entry {
  const at = clock.now();
  return {
    at,
    failingFrom: timeScale.before(at, limits.webhookDisabledAfterMs),
    item: { workspace_id, id, fence, ...outcome },
    isAnswered: origin !== 'log',
  };
}

/** Records attempts that end at the same time with one statement. Each call returns the webhooks that have failed for too long. */
const record = batchedQuery(async ({ db }, entries: Entry[]): Promise<string[][]> => {
  const { at, failingFrom } = entries.at(-1) as Entry;
  const order = { at, failing_from: failingFrom, items: entries.map(({ item }) => item) };
  const across = acrossWorkspaces({ db }, 'each item names its workspace');
  const mustLast = entries.some(({ isAnswered }) => isAnswered);
  const [row] = await recordAll({ db: across }, { order: JSON.stringify(order), mustLast });
  return entries.map(() => row?.failing ?? []);
});

/** If the database crashes right after, the result is lost and the lease expires, as if the attempt had not been recorded yet. */
const recordAll = prepared((db, { order, mustLast }: { order: string; mustLast: boolean }) =>
  sql<{ failing: string[] }>`
    select record_attempts(${order}::jsonb) as failing from set_config('synchronous_commit',
      case when ${mustLast}::boolean then current_setting('synchronous_commit') else 'off' end, true)`.compile(
    db,
  ),
);

/** A failed attempt. */
export interface FailedAttempt {
  /** The number of attempts, including this one. */
  attempted: number;
  endedAt: Date;
  /** The `Retry-After` header of the response. */
  retryAfter: string | null;
  timeScale: TimeScale;
  /** From 0 to 1. */
  random: number;
}

const delays = limits.webhookRetryDelaysMs;
const longestMs = Math.max(...delays);

/**
 * Returns the time of the next attempt; null after the last one. The wait is that of the schedule, give or take a tenth. A receiver can
 * ask for a longer one, up to the longest of the schedule.
 */
export function nextAttemptAt(failed: FailedAttempt): Date | null {
  const { attempted, endedAt, timeScale, random } = failed;
  const delayMs = delays[attempted];
  if (delayMs === undefined) return null;
  const jitter = 1 + limits.webhookRetryJitter * (2 * random - 1);
  const askedMs = Math.min(readRetryAfter(failed.retryAfter, endedAt), longestMs);
  return timeScale.after(endedAt, Math.max(delayMs * jitter, askedMs));
}

/** Returns the milliseconds that a `Retry-After` asks for, in seconds or as a date (RFC 9110, section 10.2.3); 0 if it is missing. */
function readRetryAfter(text: string | null, now: Date): number {
  const value = text?.trim() ?? '';
  if (/^\d{1,10}$/.test(value)) return Number(value) * 1_000;
  // Otherwise a number that is no count of seconds would be read as a year.
  const at = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime());
}

/**
 * Stops a webhook that has had nothing but failures for 5 days, and cancels its pending deliveries. A webhook that has recovered meanwhile
 * continues.
 */
export async function stopFailing(
  deps: Deps,
  { workspace_id: workspaceId, webhook_id: id }: { workspace_id: string; webhook_id: string },
): Promise<void> {
  const failingFrom = deps.timeScale.before(deps.clock.now(), limits.webhookDisabledAfterMs);
  const isStopped = await inTransaction({ ...deps, workspaceId, scope: wholeWorkspace }, async (tx) => {
    const stopped = await scoped(tx)
      .updateTable('webhooks')
      .set({ enabled: false })
      .where('id', '=', id)
      .where('enabled', '=', true)
      .where('failing_since', '<=', failingFrom)
      .returning(['url', 'failing_since'])
      .executeTakeFirst();
    if (!stopped) return false;
    const { failing_since } = stopped;
    const url = auditedUrl(stopped.url);
    await appendAudit(tx, workspaceId, serverItself, {
      action: 'webhook.disabled',
      target: id,
      before: { url, enabled: true },
      after: { url, enabled: false, failing_since },
    });
    return true;
  });
  if (!isStopped) return;
  deps.log.warn({ webhookId: id }, 'a webhook was disabled after failing for 5 days');
  await cancelDeliveries(deps, id);
}
