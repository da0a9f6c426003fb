import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { batchedQuery } from '../db/batched-query.ts';
import { prepared } from '../db/prepared.ts';
import { isInScope } from '../db/scoped.ts';
import type { DomainRow } from '../domains/find-domain.ts';
import { maySend } from '../domains/records/next-state.ts';
import type { InboxRow } from '../inboxes/find-inbox.ts';
import { ApiError, notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { type Controls, type ControlsRow, controlsOf, ungoverned } from '../policies/controls.ts';
import { countControls } from '../policies/count-controls.ts';
import { type MatchingRule, patternsFor } from '../rules/decide-rule.ts';
import { knownUsage, monthOf, noteUsage, type Usage } from '../workspaces/usage.ts';
import { requireSendingAllowed } from './decide-sending.ts';
import { type ClientRequest, claimsOf, replay } from './idempotency.ts';
import { type Conversation, type FullConversation, hashesOf, parametersOf } from './limit-answers.ts';
import type { Sent } from './sent-message.view.ts';

/** The domain that a message is sent from. */
export type SendingDomain = Pick<DomainRow, 'id' | 'hostname' | 'status' | 'dkim_selector'> & {
  verified_at: string | null;
};

/** The inbox that a message is sent from. */
export type SendingInbox = Pick<InboxRow, 'id' | 'address' | 'display_name' | 'domain_id'> & {
  /** The domain of the inbox; null on the shared domain, and for a domain that is gone. */
  domain: SendingDomain | null;
};

/** The sender of a message and its recipients. */
export interface SendRequest extends ClientRequest {
  /** Every address that the message may go to. */
  addresses: string[];
  hasAttachments: boolean;
  /** The thread that the message joins; null to ask for no limit of answers. */
  conversation: Conversation | null;
  /** Who wrote the message, if somebody else may have: that of a draft. */
  writtenBy?: string | null;
  /** Whether it is sent because its time has come. */
  atItsTime?: boolean;
}

/** Everything that decides whether a message may be sent. */
export interface Sender {
  /** Null if the caller has no such inbox. */
  inbox: SendingInbox | null;
  /** The message that was sent with this `client_id`. */
  sentBefore: string | null;
  /** The addresses that are suppressed. */
  suppressed: Set<string>;
  /** The outbound rules of the workspace that match any of the addresses. */
  rules: MatchingRule[];
  /** What the workspace has used of its plan. */
  usage: Usage;
  /** The conversations that have as many answers as are allowed. */
  full: FullConversation[];
  /** What people have set. */
  controls: Controls;
}

/** The sender, once it is known that nothing was sent before, and the request by which it is found again. */
export type Allowed = Omit<Sender, 'sentBefore' | 'inbox'> & { inbox: SendingInbox; request: SendRequest };

/**
 * Begins a send. Returns the message of its `client_id` if there is one, whatever else the request says, and otherwise the sender.
 *
 * @throws ApiError `not_found` if there is no such inbox to send from, `domain_not_verified`, `sending_paused`, `sending_not_allowed`.
 */
export async function beginSend(
  ctx: Context,
  request: SendRequest,
): Promise<{ sent: Sent } | { sender: Allowed }> {
  const { inbox, sentBefore, ...obstacles } = await findSender(ctx, request);
  if (sentBefore !== null) return { sent: await replay(ctx, sentBefore, request) };
  if (!inbox) throw notFound('inbox_id');
  requireSendingAllowed(obstacles.controls, { at: ctx.clock.now(), atItsTime: request.atItsTime ?? false });
  requireSendingDomain(inbox);
  return { sender: { inbox, ...obstacles, request } };
}

function requireSendingDomain({ domain_id, domain }: SendingInbox): void {
  if (domain_id !== null && !(domain && maySend(domain))) throw new ApiError('domain_not_verified');
}

/**
 * Reads everything that is needed before a message is composed, in one round trip, and in another one what counts for the caps of
 * policies.
 */
export async function findSender(ctx: Context, request: SendRequest): Promise<Sender> {
  const { inboxId, clientId, addresses, hasAttachments, conversation } = request;
  const at = ctx.clock.now();
  const known = knownUsage(ctx, hasAttachments);
  const month = known ? null : monthOf(at);
  const answers = parametersOf(ctx, conversation, at);
  const ownInboxId = isId('inb', inboxId) && isInScope(ctx, inboxId) ? inboxId : null;
  const send = { inboxId: ownInboxId ?? '', addresses, thread: threadOf(conversation), at };
  const { usage, full, row, ...sender } = await find(ctx, {
    workspace_id: ctx.workspaceId,
    inbox_id: ownInboxId,
    inbox_ids: ctx.scope.inboxIds,
    claims: clientId === null ? { all: [] } : claimsOf(ctx, inboxId, clientId),
    addresses,
    patterns: [...new Set(addresses.flatMap(patternsFor))],
    at,
    month,
    ...answers,
    actor: ctx.actor.id,
    keys: keysOf(ctx, request),
  });
  if (month && usage) noteUsage(ctx, month, usage);
  const controls = await countControls(ctx, send, controlsOf(row));
  return {
    ...sender,
    controls: isGoverned(ctx, request) ? controls : ungoverned(controls),
    usage: known ?? usage ?? nothingUsed,
    full: full ?? [],
  };
}

/** Returns the keys whose policies hold: that of the caller, and that which wrote the message. */
function keysOf({ actor }: Context, { writtenBy }: SendRequest): string[] {
  const ids = [actor.id, writtenBy ?? null].filter((id) => id !== null && isId('key', id));
  return [...new Set(ids as string[])];
}

/** Policies are about what agents send. What a person wrote and sends needs no approval, and only a pause holds it back. */
function isGoverned(ctx: Context, request: SendRequest): boolean {
  return ctx.actor.kind !== 'person' || keysOf(ctx, request).length > 0;
}

function threadOf(conversation: Conversation | null) {
  const thread_id = conversation?.threadId ?? null;
  return { thread_id, named: conversation && thread_id === null ? hashesOf(conversation) : [] };
}

/** A hundred addresses of domains with a hundred labels have a megabyte of patterns. */
const requestsAtOnceMax = 25;

const find = batchedQuery(async (ctx, requests: object[]) => {
  const rows = await selectSenders(ctx, { requests: JSON.stringify(requests) });
  return rows.map(({ inbox, sent_before, suppressed, rules, full_conversations, controls, ...same }) => ({
    ...same,
    inbox,
    sentBefore: sent_before,
    suppressed: new Set(suppressed),
    rules: rules ?? [],
    full: full_conversations,
    row: controls,
  }));
}, requestsAtOnceMax);

const nothingUsed: Usage = { emails: 0, storage_bytes: 0 };

interface SenderRow {
  inbox: SendingInbox | null;
  sent_before: string | null;
  suppressed: string[];
  rules: MatchingRule[] | null;
  usage: Usage | null;
  full_conversations: FullConversation[] | null;
  controls: ControlsRow;
}

const selectSenders = prepared((db, { requests }: { requests: string }) =>
  sql<SenderRow>`select inbox, sent_before, suppressed, rules, usage, full_conversations, controls
    from find_senders(${requests}::jsonb)`.compile(db),
);
