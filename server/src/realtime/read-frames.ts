import type { LinkDeps } from '../attachments/attachment.view.ts';
import type { Context } from '../context.ts';
import { type EventRow, type LogFilters, type LogPart, type LogPlace, readLog } from '../events/read-log.ts';
import { createTurns } from '../lib/take-turns.ts';
import { renderEvents } from '../messages/render-events.ts';

/** What frames are read with: the server, and whose log it is. */
export type FrameContext = Pick<Context, 'db' | 'workspaceId'> & LinkDeps;

/** A part of the log with the frames of those of its events that are wanted, by their ids. */
export interface FramePart extends LogPart {
  frames: Map<string, Buffer>;
}

/** Parts of 25 events with bodies of 64 KiB are megabytes, so a few are in memory at a time, whoever reads. */
const partRows = 25;
const readersMax = 4;
const turns = createTurns(readersMax);

/**
 * The next part of the log behind a place, each event as the bytes of its frame. `wants` is asked about all events of the part
 * at once, when they have been read.
 */
export const readFrames = (
  ctx: FrameContext,
  from: LogPlace,
  filters: LogFilters,
  wants: (part: LogPart) => EventRow[],
): Promise<FramePart> =>
  turns(async () => {
    const part = await readLog(ctx, from, filters, partRows);
    const events = await renderEvents(ctx, wants(part));
    const frames = new Map(events.map((event) => [event.id, Buffer.from(JSON.stringify(event))]));
    return { ...part, frames };
  });
