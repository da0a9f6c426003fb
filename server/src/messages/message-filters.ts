/*
 * A list is newest first and may be narrowed by filters. Each filter has a way of its own to its messages in that order, an
 * index that has them together, and a check for a message that came another way. A list goes the way with the fewest messages and
 * checks the others on what it meets there, so that one filter costs the same however many messages there are.
 */
import type { ListMessages } from '@postrider/contract';
import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Tables } from '../db/database.ts';
import { scoped } from '../db/scoped.ts';
import { getInbox } from '../inboxes/find-inbox.ts';
import { requireLabel } from './find-message.ts';
import { getThread } from './find-thread.ts';
import { subjectTerms, wantedTerm } from './message-terms.ts';

/** Ids of messages that an index has in the order of lists. */
export type Ids = SelectQueryBuilder<Tables, never, { id: string }>;

/** One thing that a message has to be. */
export interface MessageFilter {
  /** The messages that are it, each in one of these. */
  ids: Ids[];
  /** Whether a row of `messages` is it. */
  passes: Expression<SqlBool>;
}

/**
 * The filters of a query. None means every message; null, that no message can pass.
 *
 * @throws ApiError `not_found` when one names an inbox, thread or label that is not the caller's.
 */
export const messageFilters = async (ctx: Context, query: ListMessages): Promise<MessageFilter[] | null> => {
  const { inbox_id: inboxId, label_id: labelId, thread_id: threadId, from, to, subject } = query;
  if (inboxId !== undefined) await getInbox(ctx, inboxId, 'inbox_id');
  if (labelId !== undefined) await requireLabel(ctx, labelId);
  // A merged thread is that which it was merged into.
  const thread = threadId === undefined ? null : await getThread(ctx, threadId, 'thread_id');
  const words = subject === undefined ? [] : await subjectTerms(ctx, subject);
  if (subject !== undefined && words.length === 0) return null;
  const terms = [...words];
  if (from !== undefined) terms.push(wantedTerm('from', from));
  if (to !== undefined) terms.push(wantedTerm('to', to));
  const filters = terms.map((term) => ofTerm(ctx, term));
  if (thread) filters.push(ofThread(ctx, thread.id));
  if (labelId !== undefined) filters.push(ofLabel(ctx, labelId, inboxId));
  const { direction, has_attachment: hasAttachment, read } = query;
  if (read !== undefined) filters.push(ofRead(ctx, read, inboxId));
  const isInboxDone = inboxId === undefined || labelId !== undefined || read !== undefined;
  if (!isInboxDone || direction !== undefined || hasAttachment !== undefined)
    filters.push(ofKind(ctx, { inboxId, direction, hasAttachment }));
  return filters;
};

// The checks are subqueries with a limit: as joins they could be carried out for all messages of a term before the first page.
const ofTerm = (ctx: Context, term: string): MessageFilter => ({
  ids: [scoped(ctx).selectFrom('message_terms').select('message_id as id').where('term', '=', term) as Ids],
  passes: sql<boolean>`(select true from message_terms t where t.workspace_id = ${ctx.workspaceId} and t.term = ${term}
    and t.message_id = messages.id limit 1)`,
});

/** Labels have the order of each inbox too, so that the label of an inbox is one filter. */
const ofLabel = (ctx: Context, labelId: string, inboxId: string | undefined): MessageFilter => {
  const rows = scoped(ctx)
    .selectFrom('message_labels')
    .select('message_id as id')
    .where('label_id', '=', labelId);
  return {
    ids: [(inboxId === undefined ? rows : rows.where('inbox_id', '=', inboxId)) as Ids],
    passes: sql<boolean>`(select true from message_labels l where l.workspace_id = ${ctx.workspaceId}
      and l.label_id = ${labelId} and l.message_id = messages.id ${inInbox(inboxId)} limit 1)`,
  };
};

const inInbox = (inboxId: string | undefined) =>
  inboxId === undefined ? sql`` : sql`and l.inbox_id = ${inboxId}`;

/** As labels, read and unread messages have the order of each inbox too. */
const ofRead = (ctx: Context, read: boolean, inboxId: string | undefined): MessageFilter => {
  const rows = scoped(ctx).selectFrom('messages').select('id').where('is_read', '=', read);
  const inInbox = inboxId === undefined ? sql`` : sql` and messages.inbox_id = ${inboxId}`;
  return {
    ids: [(inboxId === undefined ? rows : rows.where('inbox_id', '=', inboxId)) as Ids],
    passes: sql<boolean>`(messages.is_read = ${read}${inInbox})`,
  };
};

const ofThread = (ctx: Context, threadId: string): MessageFilter => ({
  ids: [scoped(ctx).selectFrom('messages').select('id').where('thread_id', '=', threadId) as Ids],
  passes: sql<boolean>`messages.thread_id = ${threadId}`,
});

interface Kind {
  inboxId: string | undefined;
  direction: 'inbound' | 'outbound' | undefined;
  hasAttachment: boolean | undefined;
}

/** What is not asked for is each of the two that it can be, since the index has an order for each of them. */
const ofKind = (ctx: Context, { inboxId, direction, hasAttachment }: Kind): MessageFilter => {
  const directions = direction === undefined ? (['inbound', 'outbound'] as const) : [direction];
  const attachments = hasAttachment === undefined ? [true, false] : [hasAttachment];
  const ids = directions.flatMap((one) =>
    attachments.map((other) => {
      const rows = scoped(ctx)
        .selectFrom('messages')
        .select('id')
        .where('direction', '=', one)
        .where('has_attachments', '=', other);
      return (inboxId === undefined ? rows : rows.where('inbox_id', '=', inboxId)) as Ids;
    }),
  );
  const conditions = [
    ...(inboxId === undefined ? [] : [sql`messages.inbox_id = ${inboxId}`]),
    ...(direction === undefined ? [] : [sql`messages.direction = ${direction}`]),
    ...(hasAttachment === undefined ? [] : [sql`messages.has_attachments = ${hasAttachment}`]),
  ];
  return { ids, passes: sql<boolean>`(${sql.join(conditions, sql` and `)})` };
};
