/*
 * A list is newest first and may be narrowed by filters. Each filter has an index that holds its messages in that order, and a check for a
 * message that was found by another filter. A list reads the index of the filter with the fewest messages and checks the others on the
 * messages that it finds there, so a filter costs the same however many messages there are.
 */
import type { ListMessages } from '@postrider/contract';
import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../context.ts';
import { inOrder, scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { getInbox } from '../inboxes/find-inbox.ts';
import { getThread, requireLabel } from './find-message.ts';
import { subjectTerms, wantedTerm } from './message-terms.ts';

/** Ids of messages that an index has in the order of lists. */
export type Ids = SelectQueryBuilder<Tables, never, { id: string }>;

/** One condition on a message. */
export interface MessageFilter {
  /** The messages that meet it: each is in one of these. */
  ids: Ids[];
  /** The inboxes for each of which `ids` are read, as `inOrder` says; null if they are read once. */
  of: string[] | null;
  /** Whether a row of `messages` meets it. */
  passes: Expression<SqlBool>;
}

/**
 * Returns the filters of a query, of which one has the inboxes of the caller if it is limited to some. An empty list means every message;
 * null means that no message can pass. `isInScope` says that messages of other inboxes are left out elsewhere.
 *
 * @throws ApiError `not_found` if a filter names an inbox, thread or label that is not the caller's.
 */
export async function messageFilters(
  ctx: Context,
  query: ListMessages,
  { isInScope = false } = {},
): Promise<MessageFilter[] | null> {
  const { inbox_id: inboxId, label_id: labelId, thread_id: threadId, from, to, subject } = query;
  const { inboxIds } = ctx.scope;
  if (inboxId !== undefined) await getInbox(ctx, inboxId, 'inbox_id');
  if (labelId !== undefined) await requireLabel(ctx, labelId);
  // A merged thread stands for the thread that it was merged into.
  const thread = threadId === undefined ? null : await getThread(ctx, threadId, 'thread_id');
  const words = subject === undefined ? [] : await subjectTerms(ctx, subject);
  if ((subject !== undefined && words.length === 0) || inboxIds?.length === 0) return null;
  const terms = [...words];
  if (from !== undefined) terms.push(wantedTerm('from', from));
  if (to !== undefined) terms.push(wantedTerm('to', to));
  const filters = terms.map((term) => ofTerm(ctx, term));
  if (thread) filters.push(ofThread(ctx, thread.id));
  if (labelId !== undefined) filters.push(ofLabel(ctx, labelId, inboxId));
  const { direction, has_attachment: hasAttachment, read } = query;
  if (read !== undefined) filters.push(ofRead(ctx, read, inboxId));
  const isOfAll = inboxId === undefined && (inboxIds === null || isInScope);
  const isInboxDone = isOfAll || labelId !== undefined || read !== undefined;
  if (!isInboxDone || direction !== undefined || hasAttachment !== undefined)
    filters.push(ofKind(ctx, { inboxId, direction, hasAttachment }));
  return filters;
}

// The checks are subqueries with a limit. As joins they could be evaluated for all messages of a term before the first page.
function ofTerm(ctx: Context, term: string): MessageFilter {
  return {
    ids: [scoped(ctx).selectFrom('message_terms').select('message_id as id').where('term', '=', term) as Ids],
    of: null,
    passes: sql<boolean>`(select true from message_terms t where t.workspace_id = ${ctx.workspaceId} and t.term = ${term}
    and t.message_id = messages.id limit 1)`,
  };
}

/** Returns the filter of a label. Labels have an order for each inbox too, so that a label within an inbox is one filter. */
export function ofLabel(ctx: Context, labelId: string, inboxId: string | undefined): MessageFilter {
  const { one, of } = inOrder(ctx, inboxId);
  const rows = scoped(one).selectFrom('message_labels').select('message_id as id');
  return {
    ids: [rows.where('label_id', '=', labelId) as Ids],
    of,
    passes: sql<boolean>`(select true from message_labels l where l.workspace_id = ${ctx.workspaceId}
      and l.label_id = ${labelId} and l.message_id = messages.id ${inInbox(inboxId)} limit 1)`,
  };
}

function inInbox(inboxId: string | undefined) {
  return inboxId === undefined ? sql`` : sql`and l.inbox_id = ${inboxId}`;
}

/** Like labels, read and unread messages have an order for each inbox too. */
function ofRead(ctx: Context, read: boolean, inboxId: string | undefined): MessageFilter {
  const { one, of } = inOrder(ctx, inboxId);
  const isInInbox = inboxId === undefined ? sql`` : sql` and messages.inbox_id = ${inboxId}`;
  return {
    ids: [scoped(one).selectFrom('messages').select('id').where('is_read', '=', read) as Ids],
    of,
    passes: sql<boolean>`(messages.is_read = ${read}${isInInbox})`,
  };
}

function ofThread(ctx: Context, threadId: string): MessageFilter {
  return {
    ids: [scoped(ctx).selectFrom('messages').select('id').where('thread_id', '=', threadId) as Ids],
    of: null,
    passes: sql<boolean>`messages.thread_id = ${threadId}`,
  };
}

/** Returns the filter of several threads, some thousands at most. */
export function ofThreads(ctx: Context, threadIds: string[]): MessageFilter {
  const isOne = sql<boolean>`messages.thread_id = any(${threadIds}::text[])`;
  return {
    ids: [scoped(ctx).selectFrom('messages').select('id').where(isOne) as Ids],
    of: null,
    passes: isOne,
  };
}

interface Kind {
  inboxId: string | undefined;
  direction: 'inbound' | 'outbound' | undefined;
  hasAttachment: boolean | undefined;
}

/** A direction or attachment that the query does not specify stands for both of its values, because the index has an order for each. */
function ofKind(ctx: Context, { inboxId, direction, hasAttachment }: Kind): MessageFilter {
  const directions = direction === undefined ? (['inbound', 'outbound'] as const) : [direction];
  const attachments = hasAttachment === undefined ? [true, false] : [hasAttachment];
  const { one, of } = inOrder(ctx, inboxId);
  const ids = directions.flatMap((way) =>
    attachments.map(
      (has) =>
        scoped(one)
          .selectFrom('messages')
          .select('id')
          .where('direction', '=', way)
          .where('has_attachments', '=', has) as Ids,
    ),
  );
  const { inboxIds } = ctx.scope;
  const conditions = [
    ...(inboxId !== undefined ? [sql`messages.inbox_id = ${inboxId}`] : []),
    ...(inboxId === undefined && inboxIds !== null
      ? [sql`messages.inbox_id = any(${inboxIds}::text[])`]
      : []),
    ...(direction === undefined ? [] : [sql`messages.direction = ${direction}`]),
    ...(hasAttachment === undefined ? [] : [sql`messages.has_attachments = ${hasAttachment}`]),
  ];
  return {
    ids,
    of,
    passes: sql<boolean>`(${sql.join(conditions, sql` and `)})`,
  };
}
