import type { EventPage, ListEvents } from '@postrider/contract';
import type { Context } from '../context.ts';
import { findPlace, readLog } from '../events/read-log.ts';
import { waitForChange } from '../events/wait-for-change.ts';
import { getInbox } from '../inboxes/find-inbox.ts';
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
