import type { Event, EventKind, EventPage, ListEvents } from '@postrider/contract';
import type { Context } from '../context.ts';
import { type RowsContext, scoped } from '../db/scoped.ts';
import { type EventRow, findPlace, matches, readLog } from '../events/read-log.ts';
import { waitForChange } from '../events/wait-for-change.ts';
import { getInbox } from '../inboxes/find-inbox.ts';
import { invalidField } from '../lib/api-error.ts';
import { decodeCursor, encodeCursor } from '../lib/cursor.ts';
import { firstIdAt } from '../lib/ids.ts';
import { renderEvents } from '../messages/render-events.ts';

/**
 * Returns a page of the event log. With `wait_seconds` it waits for an event that passes the filters. If none does, `next_cursor` still
 * moves past the events that were read. The page ends early if the response would become too large.
 *
 * @throws ApiError `not_found` for an inbox that is not the caller's, and as `findPlace` and `waitForChange` throw.
 */
export async function listEvents(
  ctx: Context,
  query: ListEvents,
  clientGone: AbortSignal,
): Promise<EventPage> {
  const { inbox_id, wait_seconds = 0 } = query;
  const until = performance.now() + wait_seconds * 1_000;
  const isOver = () => performance.now() >= until || ctx.stopping.aborted || clientGone.aborted;
  let place = await findPlace(ctx, query.after);
  const look = async () => {
    // The inbox may be deleted during the wait, and then no event follows.
    if (inbox_id !== undefined) await getInbox(ctx, inbox_id, 'inbox_id');
    for (;;) {
      const part = await ctx.readLimiter.run(ctx.workspaceId, () => readLog(ctx, place, query, query.limit));
      place = part.next;
      if (part.rows.length > 0 || part.isEnd || isOver())
        return { result: part, found: part.rows.length > 0 };
    }
  };
  const { rows, next } = await waitForChange(ctx, wait_seconds, clientGone, look, 'log');
  const events = await ctx.readLimiter.run(ctx.workspaceId, () => renderEvents(ctx, rows));
  const isCut = events.length < rows.length;
  return { events, next_cursor: isCut ? (events.at(-1)?.id ?? null) : next.eventId };
}

/** Which events to list. */
export interface ListPastEvents {
  limit: number;
  cursor?: string | undefined;
  events?: EventKind[] | undefined;
  inbox_id?: string | undefined;
  /** ISO 8601. */
  before?: string | undefined;
}

/** The events that a page with filters looks through. */
const examinedMax = 1_000;

/**
 * Returns a page of the event log, newest first. A page may have fewer events than `limit`, or none, and still be followed by another: with
 * filters it looks through 1,000 events, and it ends early if the response would become too large.
 *
 * @throws ApiError `not_found` for an inbox that is not the caller's, `invalid_request` for a cursor of another list.
 */
export async function listPastEvents(
  ctx: Context,
  query: ListPastEvents,
): Promise<{ events: Event[]; nextCursor: string | null }> {
  const { limit, events: kinds, inbox_id } = query;
  if (inbox_id !== undefined) await getInbox(ctx, inbox_id, 'inbox_id');
  const isFiltered = kinds !== undefined || inbox_id !== undefined;
  const most = isFiltered ? examinedMax : limit + 1;
  const { rows, events } = await ctx.readLimiter.run(ctx.workspaceId, async () => {
    const seen = await readBefore(ctx, await findStart(ctx, query), most);
    const wanted = seen.filter((row) => matches(row, { events: kinds, inbox_id })).slice(0, limit);
    return { rows: { seen, wanted }, events: await renderEvents(ctx, wanted) };
  });
  const isCut = events.length < rows.wanted.length || rows.wanted.length === limit;
  const last = isCut ? rows.wanted[events.length - 1] : rows.seen.at(-1);
  const isMore = last !== undefined && (last !== rows.seen.at(-1) || rows.seen.length === most);
  return { events, nextCursor: isMore ? encodeCursor([String(last.position)]) : null };
}

/** Returns the position before which the page begins; null for the end of the log. */
async function findStart(ctx: Context, { cursor, before }: ListPastEvents): Promise<number | null> {
  if (cursor !== undefined) {
    const position = Number(decodeCursor(cursor, 1)[0]);
    if (!Number.isSafeInteger(position)) {
      throw invalidField('cursor', 'must be a `next_cursor` of this list');
    }
    return position;
  }
  if (before === undefined) return null;
  // Ids have the order of their times, and the index on them finds the place at once.
  const row = await scoped(ctx)
    .selectFrom('events')
    .select('position')
    .where('id', '<', firstIdAt('evt', new Date(before)))
    .where('position', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.position == null ? 0 : row.position + 1;
}

function readBefore(ctx: RowsContext, position: number | null, most: number): Promise<EventRow[]> {
  let rows = scoped(ctx).selectFrom('events').selectAll().where('position', 'is not', null);
  if (position !== null) rows = rows.where('position', '<', position);
  return rows.orderBy('position', 'desc').limit(most).execute();
}
