/*
 * A `client_id` stands for one message of its workspace for 24 hours. It is reserved in the transaction that stores the
 * message, so that both are there or neither is, also after a crash. A repeat finds the message, waits up to 30 s while it is
 * on its way, and answers its state then; a repeat that races the first runs into the unique key and does the same. What was
 * answered with an error before the message was stored reserved nothing, and may be tried again.
 */
import { limits } from '@postrider/contract';
import type { Context } from '../context.ts';
import { paceWakeups } from '../db/paced-wakeups.ts';
import { scoped } from '../db/scoped.ts';
import { ApiError, notFound } from '../lib/api-error.ts';
import { getMessage } from './find-message.ts';
import { findSender, type Sender, type SendingInbox, type SendRequest } from './find-sender.ts';
import type { MessageRow } from './message-record.ts';
import type { Sent } from './sent-message.view.ts';

const lookAgainMs = 1_000;

/** Who may send, once it is known that nothing was sent before. */
export type Allowed = Omit<Sender, 'sentBefore' | 'inbox'> & { inbox: SendingInbox };

/**
 * Answers the message that a `client_id` stands for, whatever else the request says; sends one when it is free.
 *
 * @throws ApiError `not_found` where there is no such inbox to send from.
 */
export const sendOnce = async (
  ctx: Context,
  request: SendRequest,
  send: (allowed: Allowed) => Promise<Sent>,
): Promise<Sent> => {
  const { inbox, sentBefore, suppressed } = await findSender(ctx, request);
  if (sentBefore !== null) return replay(ctx, sentBefore);
  if (!inbox) throw notFound();
  return send({ inbox, suppressed });
};

/**
 * The message that was sent first, once it is no longer on its way.
 *
 * @throws ApiError `message_rejected` when the first was answered so, `not_found` when its inbox was deleted since.
 */
export const replay = async (ctx: Context, messageId: string): Promise<Sent> => {
  const row = await waitUntilSettled(ctx, messageId, ctx.timeScale.scaleMs(limits.idempotencyWaitMs));
  await requireNotRejected(ctx, row);
  return { row, idempotent: true, dropped: row.dropped ?? [] };
};

/** A message once all its recipients have an outcome, or as it is after `timeoutMs`. */
export const waitUntilSettled = async (
  ctx: Context,
  messageId: string,
  timeoutMs: number,
): Promise<MessageRow> => {
  const until = performance.now() + timeoutMs;
  const wakeups = paceWakeups(ctx.wakeups, ctx.workspaceId);
  try {
    for (;;) {
      const row = await getMessage(ctx, messageId);
      const leftMs = until - performance.now();
      const settled = row.delivery_status !== 'queued' && row.delivery_status !== 'sending';
      if (settled || leftMs <= 0 || ctx.stopping.aborted) return row;
      await wakeups.next(Math.min(leftMs, lookAgainMs), ctx.stopping);
    }
  } finally {
    wakeups.stop();
  }
};

/**
 * Checks that the provider did not refuse the message for all its recipients.
 *
 * @throws ApiError `message_rejected` with the message's id and what the provider said.
 */
export const requireNotRejected = async (ctx: Context, row: MessageRow): Promise<void> => {
  if (row.delivery_status !== 'rejected') return;
  const recipients = await scoped(ctx)
    .selectFrom('message_recipients')
    .select(['status', 'detail'])
    .where('message_id', '=', row.id)
    .orderBy('position')
    .execute();
  if (recipients.some((recipient) => recipient.status !== 'rejected')) return;
  throw new ApiError('message_rejected', { id: row.id, reason: recipients[0]?.detail ?? 'rejected' });
};
