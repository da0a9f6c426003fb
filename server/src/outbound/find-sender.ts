import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { batchedQuery } from '../db/batched.ts';
import { prepared } from '../db/prepared.ts';
import { isInScope } from '../db/scoped.ts';
import type { DomainRow } from '../domains/find-domain.ts';
import { maySend } from '../domains/records/next-state.ts';
import type { InboxRow } from '../inboxes/find-inbox.ts';
import { ApiError, notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { countControls } from '../policies/caps.ts';
import { type ControlsRow, ungoverned, withStrictest } from '../policies/controls.ts';
import { type MatchingRule, patternsFor } from '../rules/decide-rule.ts';
import { knownUsage, monthOf, noteUsage, type Usage } from '../workspaces/usage.ts';
import {
  answerParameters,
  type Conversation,
  type FullConversation,
  namedHashes,
  type Obstacles,
} from './allow-recipients.ts';
import { type ClientRequest, clientIdClaims } from './idempotency.ts';

/** The domain that a message is sent from. */
export type SendingDomain = Pick<DomainRow, 'id' | 'hostname' | 'status' | 'dkim_selector'> & {
  verified_at: string | null;
};

/** The inbox that a message is sent from. */
export type SendingInbox = Pick<InboxRow, 'id' | 'address' | 'display_name' | 'domain_id'> & {
  /** The domain of the inbox; null on the shared domain, and for a domain that is gone. */
  domain: SendingDomain | null;
};

/** A question about the sender of a message. */
export interface SenderRequest extends ClientRequest {
  /** Every address that the message may go to. */
  addresses: string[];
  hasAttachments: boolean;
  /** The thread that the message joins; null to skip the limit of replies. */
  conversation: Conversation | null;
  /** The writer of the message, if that may be somebody other than the sender, as for a draft. */
  writtenBy?: string | null;
  /** Whether it is sent because its time has come. */
  atItsTime?: boolean;
}

/** Everything that decides whether a message may be sent. */
export interface Sender extends Obstacles {
  /** Null if the caller has no such inbox. */
  inbox: SendingInbox | null;
  /** The message that was sent with this `client_id`. */
  sentBefore: string | null;
  /** The usage of the plan. */
  usage: Usage;
  /** The conversations that have reached the limit of replies. */
  full: FullConversation[];
}

/**
 * Returns the inbox of a sender that is allowed to send. A scheduled draft is sent at its time even if the key has expired, or was revoked
 * by people who kept its drafts and webhooks; otherwise a revoked key has nothing scheduled any more.
 *
 * @throws ApiError `not_found` if there is no such inbox, also because it left the key's scope, `invalid_token` if the key was revoked or
 * has expired meanwhile, `sending_paused`, `sending_not_allowed`, `domain_not_verified`.
 */
export function requireMaySend(
  ctx: Context,
  { inbox, controls }: Sender,
  request: SenderRequest,
): SendingInbox {
  const { paused, key, strictest } = controls;
  if (!inbox) throw notFound('inbox_id');
  const isOver = key?.revoked || (key?.expires_at != null && new Date(key.expires_at) <= ctx.clock.now());
  if (isOver && !request.atItsTime) throw new ApiError('invalid_token');
  if (key?.out_of_scope) throw notFound('inbox_id');
  if (paused !== null) throw new ApiError('sending_paused', { at: paused });
  if (key?.read_only) throw new ApiError('sending_not_allowed', { at: 'key' });
  const { policy, from } = strictest;
  if (policy.send === 'never' && from.send !== 'default')
    throw new ApiError('sending_not_allowed', { at: from.send });
  if (inbox.domain_id !== null && !(inbox.domain && maySend(inbox.domain)))
    throw new ApiError('domain_not_verified');
  return inbox;
}

/**
 * Reads everything that is needed before a message is composed, in one round trip, and in another one what counts for the caps of
 * policies.
 */
export async function findSender(ctx: Context, request: SenderRequest): Promise<Sender> {
  const { inboxId, clientId, addresses, hasAttachments, conversation } = request;
  const at = ctx.clock.now();
  const known = knownUsage(ctx, hasAttachments);
  const month = known ? null : monthOf(at);
  const answers = answerParameters(ctx, conversation, at);
  const ownInboxId = isId('inb', inboxId) && isInScope(ctx, inboxId) ? inboxId : null;
  const send = { inboxId: ownInboxId ?? '', addresses, thread: threadToJoin(conversation), at };
  const { usage, full, row, ...sender } = await find(ctx, {
    workspace_id: ctx.workspaceId,
    inbox_id: ownInboxId,
    inbox_ids: ctx.scope.inboxIds,
    claims: clientId === null ? { all: [] } : clientIdClaims(ctx, inboxId, clientId),
    addresses,
    patterns: [...new Set(addresses.flatMap(patternsFor))],
    at,
    month,
    ...answers,
    actor: ctx.actor.id,
    keys: governingKeys(ctx, request),
  });
  if (month && usage) noteUsage(ctx, month, usage);
  const controls = await countControls(ctx, send, withStrictest(row));
  return {
    ...sender,
    controls: isGoverned(ctx, request) ? controls : ungoverned(controls),
    usage: known ?? usage ?? nothingUsed,
    full: full ?? [],
  };
}

/** Returns the keys whose policies apply: the calling key, and the key that wrote the message. */
function governingKeys({ actor }: Context, { writtenBy }: SenderRequest): string[] {
  const ids = [actor.id, writtenBy ?? null].filter((id) => id !== null && isId('key', id));
  return [...new Set(ids as string[])];
}

/** Policies are about what agents send. What a person wrote and sends needs no approval, and only a pause holds it back. */
function isGoverned(ctx: Context, request: SenderRequest): boolean {
  return ctx.actor.kind !== 'person' || governingKeys(ctx, request).length > 0;
}

function threadToJoin(conversation: Conversation | null) {
  const thread_id = conversation?.threadId ?? null;
  return { thread_id, named: conversation && thread_id === null ? namedHashes(conversation) : [] };
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
