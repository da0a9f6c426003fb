import { setImmediate } from 'node:timers/promises';
import type { EventPage, ListEvents } from '@postrider/contract';
import type { Context } from '../context.ts';
import { findPlace, readLog } from '../events/read-log.ts';
import { getInbox } from '../inboxes/find-inbox.ts';
import { renderEvents } from '../messages/render/render-events.ts';
import { waitForChange } from '../workspaces/wait-for-change.ts';

/**
 * A page of the event log. With `wait_seconds` it is held until there is an event that the filters let through; where they let
 * none through, `next_cursor` still moves on with what was looked at. It ends early where the answer would become too large.
 *
 * @throws ApiError `not_found` for an inbox that is not the caller's, and as `findPlace` and `waitForChange` throw.
 */
export const listEvents = async (
  ctx: Context,
  query: ListEvents,
  clientGone: AbortSignal,
): Promise<EventPage> => {
  const { inbox_id, wait_seconds = 0 } = query;
  const until = performance.now() + wait_seconds * 1_000;
  const isOver = () => performance.now() >= until || ctx.stopping.aborted || clientGone.aborted;
  let place = await findPlace(ctx, query.after);
  const look = async () => {
    // It may be deleted while somebody waits, and then nothing comes any more.
    if (inbox_id !== undefined) await getInbox(ctx, inbox_id, 'inbox_id');
    for (;;) {
      const part = await ctx.readTurns.run(ctx.workspaceId, () => readLog(ctx, place, query, query.limit));
      place = part.next;
      if (part.rows.length > 0 || part.isEnd || isOver())
        return { result: part, found: part.rows.length > 0 };
      // The embedded database runs in this thread, where others would wait until the end of the log.
      await setImmediate();
    }
  };
  const { rows, next } = await waitForChange(ctx, wait_seconds, clientGone, look, 'log');
  const events = await ctx.readTurns.run(ctx.workspaceId, () => renderEvents(ctx, rows));
  const isCut = events.length < rows.length;
  return { events, next_cursor: isCut ? (events.at(-1)?.id ?? null) : next.eventId };
};
