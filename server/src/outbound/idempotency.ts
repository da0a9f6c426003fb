/*
 * A `client_id` identifies one message of its workspace for 24 hours. Those of a key that is limited to some inboxes identify one message
 * of an inbox, so that the key does not learn what others have sent. It is reserved in the transaction that stores the message, so a
 * crash leaves both or neither. A repeat finds the message, waits up to 30 s while it is being sent, and returns its state. A repeat that
 * races the first request runs into the unique key and does the same. A request that failed before the message was stored reserved
 * nothing and may be tried again.
 */
import { limits } from '@postrider/contract';
import type { Context } from '../context.ts';
import { paceWakeups } from '../db/paced-wakeups.ts';
import { isInScope, scoped } from '../db/scoped.ts';
import { ApiError } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { type MessageDetails, readMessage } from '../messages/message-details.ts';
import type { Sent } from './sent-message.view.ts';

const lookAgainMs = 1_000;

/** Under which texts a `client_id` is reserved. */
export interface Claims {
  /** That of a send by this caller. */
  own: string;
  /** Those of callers that may have sent the same message. */
  all: string[];
}

/**
 * Returns under which texts a `client_id` is reserved: as it is by callers that see the workspace, and behind its inbox by others. A
 * `client_id` has no line breaks.
 */
export function claimsOf(ctx: Pick<Context, 'scope'>, inboxId: string, clientId: string): Claims {
  // An id in a request may be any text, also one that the database cannot hold.
  if (!isId('inb', inboxId)) return { own: clientId, all: [clientId] };
  const ofInbox = `${inboxId}\n${clientId}`;
  const all = isInScope(ctx, inboxId) ? [clientId, ofInbox] : [clientId];
  return { own: ctx.scope.inboxIds === null ? clientId : ofInbox, all };
}

/** A request with a `client_id`. */
export interface ClientRequest {
  inboxId: string;
  clientId: string | null;
  /** What it asks for, as a hash; null without a `client_id`. */
  requestHash?: Buffer | null;
}

/**
 * Returns the message that was sent first, once it is no longer being sent, and whether the request that repeats it asks for something
 * else.
 *
 * @throws ApiError `message_rejected` if the first request failed with it, `not_found` if the inbox was deleted since.
 */
export async function replay(ctx: Context, messageId: string, request: ClientRequest): Promise<Sent> {
  const message = await waitUntilSettled(ctx, messageId, ctx.timeScale.scaleMs(limits.idempotencyWaitMs));
  requireNotRejected(message);
  const differs = await asksForOther(ctx, messageId, request);
  return { message, idempotent: true, differs, dropped: message.row.dropped ?? [] };
}

async function asksForOther(
  ctx: Context,
  messageId: string,
  { inboxId, clientId, requestHash = null }: ClientRequest,
): Promise<boolean> {
  if (clientId === null || requestHash === null) return false;
  const first = await scoped(ctx)
    .selectFrom('client_ids')
    .select('request_hash')
    .where('client_id', 'in', claimsOf(ctx, inboxId, clientId).all)
    .where('message_id', '=', messageId)
    .executeTakeFirst();
  return first?.request_hash != null && !requestHash.equals(first.request_hash);
}

/** Returns a message once all its recipients have an outcome, or as it is after `timeoutMs`. */
export async function waitUntilSettled(
  ctx: Context,
  messageId: string,
  timeoutMs: number,
): Promise<MessageDetails> {
  const until = performance.now() + timeoutMs;
  const wakeups = paceWakeups(ctx.wakeups, ctx.workspaceId);
  try {
    for (;;) {
      const message = await readMessage(ctx, messageId, 'client_id');
      const leftMs = until - performance.now();
      const settled = message.recipients.every(({ status }) => status !== 'queued' && status !== 'sending');
      if (settled || leftMs <= 0 || ctx.stopping.aborted) return message;
      await wakeups.next(Math.min(leftMs, lookAgainMs), ctx.stopping);
    }
  } finally {
    wakeups.stop();
  }
}

/**
 * Checks that the provider did not refuse the message for all its recipients.
 *
 * @throws ApiError `message_rejected` with the message's id and what the provider said.
 */
export function requireNotRejected({ row, recipients }: MessageDetails): void {
  if (recipients.some((recipient) => recipient.status !== 'rejected')) return;
  throw new ApiError('message_rejected', { id: row.id, reason: recipients[0]?.detail ?? 'rejected' });
}
