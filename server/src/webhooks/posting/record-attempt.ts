import { limits } from '@postrider/contract';
import { sql } from 'kysely';
import { batchedQuery } from '../../db/batched.ts';
import { prepared } from '../../db/prepared.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import type { DeliveryRow } from '../find-delivery.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import { stopFailing } from './stop-failing.ts';

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
    entryOf(deps, delivery, {
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
  await record(deps, entryOf(deps, delivery, { attempt: null, status }));
}

interface Entry {
  at: Date;
  failingFrom: Date;
  item: object;
  /** Whether to wait until the result is on the disk, which a manual delivery does, because its caller is told the result. */
  isAnswered: boolean;
}

/** All entries of a statement share its times. */
function entryOf(
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
