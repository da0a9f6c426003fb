import type { ListMessages } from '@postrider/contract';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Tables } from '../db/database.ts';
import { scoped } from '../db/scoped.ts';
import { getInbox } from '../inboxes/find-inbox.ts';
import { ApiError } from '../lib/api-error.ts';
import { decodeCursor } from '../lib/cursor.ts';
import { normalizeAddress, parseDomain } from '../lib/email-address.ts';
import { firstIdAt } from '../lib/ids.ts';
import { type Page, pageOf } from '../lib/page.ts';
import { waitForChange } from '../workspaces/wait-for-change.ts';
import { liveMessages, requireLabel, selectListed } from './find-message.ts';
import { getThread } from './find-thread.ts';
import { loadDetails, type MessageDetails } from './message-details.ts';
import { addressTerm } from './store-message.ts';

type Query = SelectQueryBuilder<Tables, 'messages', object>;

/**
 * A page of the caller's messages that pass every filter, newest first.
 *
 * @throws ApiError `not_found` when a filter names an inbox, thread or label that is not the caller's.
 */
export const listMessages = async (
  ctx: Context,
  query: ListMessages,
  clientGone: AbortSignal,
): Promise<Page<MessageDetails>> => {
  if (query.query !== undefined) throw new ApiError('not_implemented');
  return waitForChange(ctx, query.wait_seconds ?? 0, clientGone, async () => {
    const result = await findMessages(ctx, query);
    return { result, found: result.rows.length > 0 };
  });
};

const findMessages = async (ctx: Context, query: ListMessages): Promise<Page<MessageDetails>> => {
  let messages = filtered(ctx, liveMessages(ctx), await resolveIds(ctx, query));
  if (query.cursor) messages = messages.where('messages.id', '<', decodeCursor(query.cursor, 1)[0] ?? '');
  const rows = await selectListed(messages.orderBy('messages.id', 'desc').limit(query.limit + 1));
  const page = pageOf(rows, query.limit, (row) => [row.id]);
  return { ...page, rows: await loadDetails(ctx, page.rows) };
};

/** The filters with ids that are the caller's: a merged thread is that which it was merged into. */
const resolveIds = async (ctx: Context, query: ListMessages): Promise<ListMessages> => {
  if (query.inbox_id !== undefined) await getInbox(ctx, query.inbox_id);
  if (query.label_id !== undefined) await requireLabel(ctx, query.label_id);
  if (query.thread_id === undefined) return query;
  return { ...query, thread_id: (await getThread(ctx, query.thread_id)).id };
};

const filtered = (ctx: Context, messages: Query, query: ListMessages): Query => {
  const { inbox_id, thread_id, label_id, direction, has_attachment } = query;
  let rows = messages;
  if (inbox_id !== undefined) rows = rows.where('messages.inbox_id', '=', inbox_id);
  if (thread_id !== undefined) rows = rows.where('messages.thread_id', '=', thread_id);
  if (label_id !== undefined) rows = rows.where('messages.id', 'in', labelled(ctx, label_id));
  if (direction !== undefined) rows = rows.where('direction', '=', direction);
  if (has_attachment !== undefined) rows = rows.where('has_attachments', '=', has_attachment);
  if (query.after !== undefined)
    rows = rows.where('messages.id', '>=', firstIdAt('msg', new Date(query.after)));
  if (query.before !== undefined)
    rows = rows.where('messages.id', '<', firstIdAt('msg', new Date(query.before)));
  if (query.from !== undefined) rows = rows.where(hasTerm(termOf('from', query.from)));
  if (query.to !== undefined) rows = rows.where(hasTerm(termOf('to', query.to)));
  if (query.subject !== undefined) rows = rows.where(subjectHas(query.subject));
  return rows;
};

const labelled = (ctx: Context, labelId: string) =>
  scoped(ctx).selectFrom('message_labels').select('message_id').where('label_id', '=', labelId);

/** An address matches itself, a bare domain every address in it. */
const termOf = (field: 'from' | 'to', wanted: string): string => {
  const address = wanted.includes('@') ? normalizeAddress(wanted) : `@${parseDomain(wanted) ?? wanted}`;
  return addressTerm(field, address ?? wanted);
};

const hasTerm = (term: string) => sql<boolean>`search @@ ${quoteLexeme(term)}::tsquery`;

/** Every word must be in the subject, which is what carries weight A in the search index. */
const subjectHas = (words: string) =>
  sql<boolean>`search @@ (select coalesce(string_agg(quoted || ':A', ' & '), '')::tsquery
    from unnest(to_tsvector('simple', ${words})), lateral (
      select '''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''' as quoted) as q)`;

/** A lexeme as a query spells it: addresses may hold quotes and backslashes. */
const quoteLexeme = (lexeme: string): string => `'${lexeme.replace(/[\\']/g, '\\$&')}'`;
