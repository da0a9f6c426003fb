import { sql } from 'kysely';
import { batchedQuery } from '../db/batched.ts';
import { prepared } from '../db/prepared.ts';
import type { Deps } from '../deps.ts';
import { sha256 } from '../lib/crypto/bytes.ts';
import type { DeliveryChange } from './delivery-outcome.ts';

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
    // A fixed order makes deadlocks rare. After one, each outcome is recorded by itself.
    const keyOf = (index: number) => `${outcomes[index]!.message_id} ${outcomes[index]!.address}`;
    const order = [...outcomes.keys()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const rows = await recordAll(ctx, { outcomes: JSON.stringify(order.map((index) => outcomes[index])) });
    const changed = outcomes.map(() => false);
    for (const row of rows) changed[order[row.position - 1]!] = row.changed;
    return changed;
  },
);
