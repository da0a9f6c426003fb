import { type EventRow, type LogFilters, type LogPart, type LogPlace, readLog } from '../events/read-log.ts';
import { createTurns } from '../lib/take-turns.ts';
import type { RenderContext } from '../messages/render-events.ts';
import type { Frames, renderFrames } from '../messages/render-frames.ts';

/** A part of the log with the frames of those of its events that are wanted. */
export interface FramePart extends LogPart {
  frames: Frames;
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
  ctx: RenderContext,
  from: LogPlace,
  filters: LogFilters,
  wants: (part: LogPart) => EventRow[],
  render: typeof renderFrames,
): Promise<FramePart> =>
  turns(async () => {
    const part = await readLog(ctx, from, filters, partRows);
    return { ...part, frames: await render(ctx, wants(part)) };
  });
