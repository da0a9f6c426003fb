import type { DroppedRecipient } from '@postrider/contract';
import { sql } from 'kysely';
import { appendAudit } from '../audit/append-audit.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import { event } from '../delivery/delivery-outcome.ts';
import { recordEvents } from '../events/record-events.ts';
import { hex } from '../lib/crypto/bytes.ts';
import { isId } from '../lib/ids.ts';
import type { LockedMessage } from '../messages/lock-message.ts';
import { expiryMs } from '../outbound/outbound-record.ts';
import { leaveOut, type Obstacles } from '../outbound/recipients.ts';
import type { OutgoingRecipient } from '../outbound/sending.ts';
import { type ControlsRow, controlsOf, sendMode } from '../policies/controls.ts';
import { type MatchingRule, patternsFor } from '../rules/decide-rule.ts';
import type { ApprovalRow, DecideContext, Decided } from './decision.ts';
import { closeApproval } from './reject-held.ts';

/**
 * Approves a held message, which is locked: it is due now, for all recipients but those that have been suppressed, blocked by a rule or
 * left out by a policy since it was held. Those are rejected, each with an event, and returned.
 */
export async function approveHeld(
  tx: DecideContext,
  approval: ApprovalRow,
  message: LockedMessage,
  { actor, by }: Decided,
): Promise<DroppedRecipient[]> {
  const at = tx.clock.now();
  const { dropped } = await decideRecipients(tx, message);
  for (const { address, reason } of dropped)
    await heldOf(tx, message)
      .set({ status: 'rejected', detail: details[reason], updated_at: at })
      .where('address', '=', address)
      .execute();
  const approved = await heldOf(tx, message)
    .set({
      status: 'queued',
      due_at: at,
      expires_at: tx.timeScale.after(at, expiryMs(tx)),
      updated_at: at,
    })
    .returning('address')
    .execute();
  await recordEvents(
    tx,
    message,
    dropped.map(({ address, reason }) =>
      event({ recipient: address, at }, 'message.rejected', { reason: details[reason] }),
    ),
  );
  await closeApproval(tx, approval, { state: 'approved', actor, reason: null });
  await appendAudit(tx, tx.workspaceId, actor, {
    action: 'approval.approved',
    target: message.id,
    after: {
      by,
      content_hash: hex(approval.content_hash),
      recipients: approved.map(({ address }) => address),
      ...(dropped.length > 0 && { left_out: dropped.map(({ address }) => address) }),
    },
  });
  return dropped;
}

const details: Record<DroppedRecipient['reason'], string> = {
  suppressed: 'left out when it was approved: the address is suppressed',
  rule: 'left out when it was approved: a rule blocks the address',
  policy: 'left out when it was approved: the policy does not allow the address',
};

function heldOf(tx: DecideContext, { id }: LockedMessage) {
  return scoped(tx)
    .updateTable('message_recipients')
    .where('message_id', '=', id)
    .where('status', '=', 'held');
}

/** Decides about the recipients of a held message as if it were sent now. */
async function decideRecipients(tx: DecideContext, message: LockedMessage) {
  const rows = await scoped(tx)
    .selectFrom('message_recipients')
    .select(['address', 'kind'])
    .where('message_id', '=', message.id)
    .where('status', '=', 'held')
    .orderBy('position')
    .execute();
  const recipients = rows.map((row): OutgoingRecipient => ({ ...row, name: null }));
  const obstacles = await findObstacles(
    tx,
    message,
    rows.map(({ address }) => address),
  );
  if (sendMode(obstacles.controls) !== 'never') return leaveOut(recipients, obstacles);
  return {
    recipients: [],
    dropped: rows.map(({ address }): DroppedRecipient => ({ address, reason: 'policy' })),
  };
}

interface FoundObstacles {
  suppressed: string[];
  rules: MatchingRule[] | null;
  controls: ControlsRow;
  known: string[];
}

/** Reads suppressions, rules and policies. Those of the keys count that sent the message and that wrote the draft before it. */
async function findObstacles(
  tx: DecideContext,
  { id, inbox_id }: LockedMessage,
  addresses: string[],
): Promise<Obstacles> {
  const { sender, writer } = await authorsOf(tx, id);
  const request = {
    workspace_id: tx.workspaceId,
    inbox_id,
    actor: sender,
    keys: [...new Set([sender, writer].filter((actor) => isId('key', actor)))],
    addresses,
    asks_known: true,
  };
  const patterns = [...new Set(addresses.flatMap(patternsFor))];
  const { rows } = await sql<FoundObstacles>`select
    array(select address from suppressions where workspace_id = ${tx.workspaceId}
      and address = any(${addresses}::text[])) as suppressed,
    (select jsonb_agg(jsonb_build_object('id', id, 'kind', kind, 'pattern', pattern)) from rules
      where workspace_id = ${tx.workspaceId} and direction <> 'inbound' and pattern = any(${patterns}::text[])) as rules,
    sending_controls(${JSON.stringify(request)}::jsonb) as controls,
    (select counts->'known' from sending_counts(${JSON.stringify([request])}::jsonb)) as known`.execute(
    acrossWorkspaces(tx, 'every part names the workspace'),
  );
  const [found] = rows;
  if (!found) throw new Error('A select without a table has one row.');
  return {
    suppressed: new Set(found.suppressed),
    rules: found.rules ?? [],
    controls: { ...controlsOf(found.controls), caps: [], threadId: null, known: found.known },
  };
}

async function authorsOf(
  tx: DecideContext,
  messageId: string,
): Promise<{ sender: string | null; writer: string | null }> {
  const row = await scoped(tx)
    .selectFrom('messages')
    .select(['actor_id as sender', 'writer_id as writer'])
    .where('id', '=', messageId)
    .executeTakeFirstOrThrow();
  return row;
}
