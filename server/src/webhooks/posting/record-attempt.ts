import { limits } from '@postrider/contract';
import { sql } from 'kysely';
import { groupedQuery } from '../../db/grouped-query.ts';
import { prepared } from '../../db/prepared.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { callOffDeliveries } from '../call-off-deliveries.ts';
import type { DeliveryRow } from '../find-delivery.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';

/** What came of an attempt. */
export interface AttemptResult {
  attempt: DeliveryRow['attempts'][number];
  status: DeliveryRow['status'];
  nextAt: Date | null;
}

/**
 * Notes an attempt with what follows from it; where the delivery was called off or taken over meanwhile, nothing is noted. A
 * webhook with nothing but failures for 5 days is stopped.
 */
export const recordAttempt = async (
  deps: Deps,
  delivery: ClaimedDelivery,
  { attempt, status, nextAt }: AttemptResult,
): Promise<void> => {
  const { webhook_id } = delivery;
  const stopped = await record(
    deps,
    entryOf(deps, delivery, {
      webhook_id,
      attempt,
      status,
      next_at: nextAt,
      // How a sample fares says nothing of how events do; a repeated event is one.
      counts: delivery.origin !== 'sample',
    }),
  );
  if (!stopped.includes(webhook_id)) return;
  deps.log.warn({ webhookId: webhook_id }, 'a webhook had nothing but failures for 5 days and is stopped');
  await callOffDeliveries(deps, webhook_id);
};

/** Gives a delivery that was not attempted back as it was claimed (`pending`), or calls it off (`failed`). */
export const giveBack = async (
  deps: Deps,
  delivery: ClaimedDelivery,
  status: 'pending' | 'failed',
): Promise<void> => {
  await record(deps, entryOf(deps, delivery, { attempt: null, status }));
};

interface Entry {
  at: Date;
  failingFrom: Date;
  item: object;
  /** Whether it is committed to the disk before it is answered: who posts by hand is told what came of it. */
  isAnswered: boolean;
}

/** The times are those of the whole statement, whichever of its entries they are taken from. */
const entryOf = (
  { clock, timeScale }: Deps,
  { workspace_id, id, claims, origin }: ClaimedDelivery,
  outcome: object,
): Entry => {
  const at = clock.now();
  return {
    at,
    failingFrom: timeScale.before(at, limits.webhookDisabledAfterMs),
    item: { workspace_id, id, claims, ...outcome },
    isAnswered: origin !== 'log',
  };
};

/** What ends at the same time is noted in one statement; each answers the webhooks that this stopped. */
const record = groupedQuery(async ({ db }, entries: Entry[]): Promise<string[][]> => {
  const { at, failingFrom } = entries.at(-1) as Entry;
  const order = { at, failing_from: failingFrom, items: entries.map(({ item }) => item) };
  const across = acrossWorkspaces({ db }, 'each item names its workspace');
  const mustLast = entries.some(({ isAnswered }) => isAnswered);
  const [row] = await recordAll({ db: across }, { order: JSON.stringify(order), mustLast });
  return entries.map(() => row?.stopped ?? []);
});

/** What is lost when the database crashes right after it leaves a lease that runs out, as if the attempt had not been noted yet. */
const recordAll = prepared((db, { order, mustLast }: { order: string; mustLast: boolean }) =>
  sql<{ stopped: string[] }>`
    select record_attempts(${order}::jsonb) as stopped from set_config('synchronous_commit',
      case when ${mustLast}::boolean then current_setting('synchronous_commit') else 'off' end, true)`.compile(
    db,
  ),
);
