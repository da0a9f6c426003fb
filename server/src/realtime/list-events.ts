import type { EventPage, ListEvents } from '@postrider/contract';
import type { Context } from '../context.ts';
import { findPlace, type LogPart, readLog } from '../events/read-log.ts';
import { getInbox } from '../inboxes/find-inbox.ts';
import { renderEvents } from '../messages/render-events.ts';
import { waitForChange } from '../workspaces/wait-for-change.ts';

/**
 * A page of the event log. With `wait_seconds` it is held until there is an event that the filters let through; where they let
 * none through, `next_cursor` still moves on with what was looked at.
 *
 * @throws ApiError `not_found` for an inbox that is not the caller's, and as `findPlace` and `waitForChange` throw.
 */
export const listEvents = async (
  ctx: Context,
  query: ListEvents,
  clientGone: AbortSignal,
): Promise<EventPage> => {
  if (query.inbox_id !== undefined) await getInbox(ctx, query.inbox_id);
  const waitSeconds = query.wait_seconds ?? 0;
  let place = await findPlace(ctx, query.after);
  const look = async () => {
    let part: LogPart;
    do {
      part = await readLog(ctx, place, query, query.limit);
      place = part.next;
    } while (waitSeconds > 0 && part.rows.length === 0 && !part.isEnd && !clientGone.aborted);
    return { result: part, found: part.rows.length > 0 };
  };
  const { rows, next } = await waitForChange(ctx, waitSeconds, clientGone, look, 'log');
  return { events: await renderEvents(ctx, rows), next_cursor: next.eventId };
};
