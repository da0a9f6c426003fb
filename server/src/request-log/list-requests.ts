import type { LoggedRequest } from '@postrider/contract/console';
import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { decodeTimeCursor, encodeCursor, type Page, pageOf } from '../lib/cursor.ts';

type RequestRow = Selectable<Tables['api_requests']>;
type Key = Pick<RequestRow, 'at' | 'id'>;

/** Which requests to list. */
export interface ListRequests {
  limit: number;
  cursor?: string | undefined;
  key_id?: string | undefined;
  method?: string | undefined;
  /** A part of the path, in upper or lower case. */
  path?: string | undefined;
  status?: '2xx' | '4xx' | '5xx' | undefined;
  /** ISO 8601. */
  before?: string | undefined;
}

/** The number of requests that a page examines for those that pass its filters. */
export const examinedMax = 10_000;

/**
 * Returns a page of the requests that came with keys of the caller's workspace, newest first. A page of rare requests may have fewer than
 * `limit`, or none, and still be followed by another, because each looks through 10,000 requests at most.
 */
export async function listRequests(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  query: ListRequests,
): Promise<Page<RequestRow>> {
  const { limit, cursor, before } = query;
  const from = cursor === undefined ? null : decodeTimeCursor(cursor);
  let rows = scoped(ctx).selectFrom('api_requests').orderBy('at', 'desc').orderBy('id', 'desc');
  if (from)
    rows = rows.where(({ eb, refTuple, tuple }) => eb(refTuple('at', 'id'), '<', tuple(from.at, from.key)));
  if (before !== undefined) rows = rows.where('at', '<', new Date(before));
  const isFiltered = [query.key_id, query.method, query.path, query.status].some(
    (filter) => filter !== undefined,
  );
  // The end of the searched range is read first, so that rows that are added meanwhile do not move it.
  const end: Key | undefined = isFiltered
    ? await rows
        .select(['at', 'id'])
        .offset(examinedMax - 1)
        .limit(1)
        .executeTakeFirst()
    : undefined;
  if (end)
    rows = rows.where(({ eb, refTuple, tuple }) => eb(refTuple('at', 'id'), '>=', tuple(end.at, end.id)));
  const found = await rows
    .selectAll()
    .where((is) => is.and(writeFilters(is, query)))
    .limit(limit + 1)
    .execute();
  const page = pageOf(found, limit, toCursor);
  return end && page.nextCursor === null ? { ...page, nextCursor: encodeCursor(toCursor(end)) } : page;
}

function toCursor({ at, id }: Key): string[] {
  return [at.toISOString(), id];
}

function writeFilters(is: ExpressionBuilder<Tables, 'api_requests'>, query: ListRequests) {
  const { key_id, method, path, status } = query;
  const hundreds = status === undefined ? null : Number(status[0]) * 100;
  return [
    ...(key_id === undefined ? [] : [is('key_id', '=', key_id)]),
    ...(method === undefined ? [] : [is('method', '=', method.toUpperCase())]),
    ...(path === undefined ? [] : [sql<boolean>`strpos(lower(path), lower(${path})) > 0`]),
    ...(hundreds === null ? [] : [is('status', '>=', hundreds), is('status', '<', hundreds + 100)]),
  ];
}

/** Returns a logged request as the console shows it. */
export function viewRequest({
  at,
  id,
  key_id,
  method,
  path,
  status,
  error,
  duration_ms,
  skipped,
}: RequestRow): LoggedRequest {
  return { id, at: at.toISOString(), key_id, method, path, status, error, duration_ms, skipped };
}
