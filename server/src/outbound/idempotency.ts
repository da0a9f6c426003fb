/*
 * A `client_id` identifies one message of its workspace for 24 hours. Those of a key that is limited to some inboxes identify one message
 * of an inbox, so that the key does not learn what others have sent. It is reserved in the transaction that stores the message, so a
 * crash leaves both or neither. A repeat finds the message, waits up to 30 s while it is being sent, and returns its state. A repeat that
 * races the first request runs into the unique key and does the same. A request that failed before the message was stored reserved
 * nothing and may be tried again.
 */
import { type AttachmentInput, limits } from '@postrider/contract';
import type { Context } from '../context.ts';
import { isInScope, scoped } from '../db/scoped.ts';
import { paceWakeups } from '../events/wait-for-change.ts';
import { ApiError } from '../lib/api-error.ts';
import { sha256 } from '../lib/crypto/primitives.ts';
import { parseMailbox } from '../lib/email-address.ts';
import { isId } from '../lib/ids.ts';
import type { Sent } from '../messages/message.view.ts';
import { type MessageDetails, readMessage } from '../messages/message-details.ts';

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
export function clientIdClaims(ctx: Pick<Context, 'scope'>, inboxId: string, clientId: string): Claims {
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
  /** The hash of everything that it asks for; null without a `client_id`. */
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
    .where('client_id', 'in', clientIdClaims(ctx, inboxId, clientId).all)
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

/** The requests that take a `client_id`, and the field with which each names the object of the request. */
type Action = 'send' | 'reply' | 'forward' | 'draft';

/** A validated request. The fields that are named here have more than one spelling. */
interface Request {
  client_id?: string | undefined;
  force?: boolean | undefined;
  include_attachments?: boolean | undefined;
  to?: string[] | undefined;
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
  reply_to?: string | undefined;
  attachments?: AttachmentInput[] | undefined;
}

/**
 * Returns a hash of what a validated request asks for, by which a repeat of its `client_id` is compared. It is the same in any order of
 * fields, for any spelling of an address, and whether a default is given or left out. Files count by their bytes.
 */
export function hashRequest(action: Action, targetId: string, request: Request): Buffer {
  const {
    client_id: _,
    force: __,
    include_attachments,
    to,
    cc,
    bcc,
    reply_to,
    attachments,
    ...rest
  } = request;
  const asked = {
    ...rest,
    to: to?.map(readMailbox),
    cc: cc?.map(readMailbox),
    bcc: bcc?.map(readMailbox),
    reply_to: reply_to === undefined ? undefined : readMailbox(reply_to),
    without_files: include_attachments === false,
    attachments: attachments?.map(({ content_base64, ...file }) => ({
      ...file,
      bytes: sha256(Buffer.from(content_base64, 'base64')).toString('hex'),
    })),
  };
  return sha256(JSON.stringify([action, targetId, inOrder(asked)]));
}

/** Local parts keep their case, because the servers of others may distinguish it. */
function readMailbox(text: string): unknown {
  const mailbox = parseMailbox(text);
  return mailbox ? [mailbox.name, mailbox.address] : text;
}

/** Returns a value with the fields of objects in one order, without those that ask for nothing. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .filter(([, field]) => !asksForNothing(field))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, field]) => [name, inOrder(field)]);
}

function asksForNothing(field: unknown): boolean {
  if (field === undefined || field === null || field === false) return true;
  return typeof field === 'object' && Object.keys(field).length === 0;
}
