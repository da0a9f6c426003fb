import type { DroppedRecipient } from '@postrider/contract';
import { sql } from 'kysely';
import { appendAudit } from '../audit/append-audit.ts';
import type { Context } from '../context.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import { event } from '../delivery/delivery-outcome.ts';
import { recordEvents } from '../events/write-log.ts';
import { hex } from '../lib/crypto/primitives.ts';
import { isId } from '../lib/ids.ts';
import type { LockedMessage } from '../messages/find-message.ts';
import { leaveOut, type Obstacles, type OutgoingRecipient } from '../outbound/allow-recipients.ts';
import { expiryMs } from '../outbound/outbound-record.ts';
import { type ControlsRow, sendMode, withStrictest } from '../policies/controls.ts';
import { type MatchingRule, patternsFor } from '../rules/decide-rule.ts';
import {
  type ApprovalContext,
  type ApprovalRow,
  closeApproval,
  type Decided,
  updateHeld,
} from './approval.ts';

/** The context in which a held message is approved. */
export type ApproveContext = ApprovalContext & Pick<Context, 'timeScale' | 'config' | 'isTest'>;

/**
 * Approves a held message, which is locked: it is due now, for all recipients but those that have been suppressed, blocked by a rule or
 * left out by a policy since it was held. Those are rejected, each with an event, and returned.
 */
export async function approveHeld(
  tx: ApproveContext,
  approval: ApprovalRow,
  message: LockedMessage,
  { actor, by, decidedBy }: Decided,
): Promise<DroppedRecipient[]> {
  const dropped = await findRecipientsToDrop(tx, message);
  await rejectRecipients(tx, message, dropped);
  const recipients = await releaseRecipients(tx, message);
  await closeApproval(tx, approval, { state: 'approved', actor, reason: null });
  await appendAudit(tx, tx.workspaceId, actor, {
    action: 'approval.approved',
    target: message.id,
    after: {
      by,
      ...(decidedBy !== undefined && { decided_by: decidedBy }),
      content_hash: hex(approval.content_hash),
      recipients,
      ...(dropped.length > 0 && { left_out: dropped.map(({ address }) => address) }),
    },
  });
  return dropped;
}

const details: Record<DroppedRecipient['reason'], string> = {
  suppressed: 'left out at approval: the address is suppressed',
  rule: 'left out at approval: a rule blocks the address',
  policy: 'left out at approval: the policy does not allow the address',
};

async function rejectRecipients(
  tx: ApproveContext,
  message: LockedMessage,
  dropped: DroppedRecipient[],
): Promise<void> {
  const at = tx.clock.now();
  for (const { address, reason } of dropped)
    await updateHeld(tx, message.id)
      .set({ status: 'rejected', detail: details[reason], updated_at: at })
      .where('address', '=', address)
      .execute();
  const events = dropped.map(({ address, reason }) =>
    event({ recipient: address, at }, 'message.rejected', { reason: details[reason] }),
  );
  await recordEvents(tx, message, events);
}

/** Makes the recipients that are still held due, and returns their addresses. */
async function releaseRecipients(tx: ApproveContext, { id }: LockedMessage): Promise<string[]> {
  const at = tx.clock.now();
  const released = await updateHeld(tx, id)
    .set({
      status: 'queued',
      due_at: at,
      expires_at: tx.timeScale.after(at, expiryMs(tx)),
      updated_at: at,
    })
    .returning('address')
    .execute();
  return released.map(({ address }) => address);
}

/** Decides about the recipients of a held message as if it were sent now. Returns those that must not get it. */
async function findRecipientsToDrop(tx: ApproveContext, message: LockedMessage): Promise<DroppedRecipient[]> {
  const rows = await scoped(tx)
    .selectFrom('message_recipients')
    .select(['address', 'kind'])
    .where('message_id', '=', message.id)
    .where('status', '=', 'held')
    .orderBy('position')
    .execute();
  const recipients = rows.map((row): OutgoingRecipient => ({ ...row, name: null }));
  const addresses = rows.map(({ address }) => address);
  const obstacles = await findObstacles(tx, message, addresses);
  if (sendMode(obstacles.controls) !== 'never') return leaveOut(recipients, obstacles).dropped;
  return addresses.map((address) => ({ address, reason: 'policy' }));
}

interface FoundObstacles {
  suppressed: string[];
  rules: MatchingRule[] | null;
  controls: ControlsRow;
  known: string[];
}

/** Reads suppressions, rules and policies. Those of the keys count that sent the message and that wrote the draft before it. */
async function findObstacles(
  tx: ApproveContext,
  { id, inbox_id }: LockedMessage,
  addresses: string[],
): Promise<Obstacles> {
  const { sender, writer } = await findAuthors(tx, id);
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
    (select controls from find_senders(${JSON.stringify([request])}::jsonb)) as controls,
    (select counts->'known' from sending_counts(${JSON.stringify([request])}::jsonb)) as known`.execute(
    acrossWorkspaces(tx, 'every part names the workspace'),
  );
  const [found] = rows;
  if (!found) throw new Error('A select without a table has one row.');
  return {
    suppressed: new Set(found.suppressed),
    rules: found.rules ?? [],
    controls: { ...withStrictest(found.controls), caps: [], threadId: null, known: found.known },
  };
}

async function findAuthors(
  tx: ApproveContext,
  messageId: string,
): Promise<{ sender: string | null; writer: string | null }> {
  const row = await scoped(tx)
    .selectFrom('messages')
    .select(['actor_id as sender', 'writer_id as writer'])
    .where('id', '=', messageId)
    .executeTakeFirstOrThrow();
  return row;
}
