import { setTimeout as pause } from 'node:timers/promises';
import { type EventRow, type LogFilters, type LogPart, type LogPlace, readLog } from '../events/read-log.ts';
import { createFairTurns } from '../lib/concurrency/fair-turns.ts';
import type { RenderContext } from '../messages/render/render-events.ts';
import type { Frames, renderFrames } from '../messages/render/render-frames.ts';

/** A part of the log with the frames of those of its events that are wanted. */
export interface FramePart extends LogPart {
  frames: Frames;
}

/** Parts of 25 events with bodies of 64 KiB are megabytes, and of 100 four times as many: a few are in memory at a time. */
export const partRowsLeast = 25;
const partRowsMax = 100;
export const partBytes = 524_288;
const readersMax = 4;
/** The live feeds of workspaces. */
export const feedTurns = createFairTurns({ atOnceMax: () => readersMax, atOnceOf: () => readersMax });
const catchUpRest = { share: 3, msMax: 400 };
/**
 * Sockets that read on from far behind: however many a workspace has, they leave the event loop, in which frames are made and the
 * embedded database runs, and the processors, on which Postgres unpacks long mails, to others for three times as long as they take them.
 */
export const catchUpTurns = createFairTurns({
  atOnceMax: () => readersMax,
  atOnceOf: () => 1,
  rest: (tookMs) => pause(Math.min(catchUpRest.share * tookMs, catchUpRest.msMax)),
});

/**
 * The next part of the log behind a place, each event as the bytes of its frame. `wants` is asked about all events of the part
 * at once, when they have been read.
 */
export const readFrames = async (
  ctx: RenderContext,
  from: LogPlace,
  filters: LogFilters,
  wants: (part: LogPart) => EventRow[],
  render: typeof renderFrames,
  rowsMax = partRowsLeast,
): Promise<FramePart> => {
  const part = await readLog(ctx, from, filters, rowsMax);
  const wanted = wants(part);
  const frames = await render(ctx, wanted);
  return { ...partBefore(part, wanted[frames.size]), frames };
};

/** The part up to an event that was too much for it: the next one begins there. */
const partBefore = (part: LogPart, event: EventRow | undefined): LogPart => {
  const end = event ? part.rows.indexOf(event) : -1;
  const last = part.rows[end - 1];
  if (!last) return part;
  const next = { position: last.position ?? 0, eventId: last.id };
  return { rows: part.rows.slice(0, end), next, isEnd: false };
};

/**
 * How many events a part may have that comes after these frames of one of `rowsMax`: as many as are likely to be half a megabyte,
 * since a flood of small events would leave behind who reads few at a time.
 */
export const rowsAfter = (frames: Frames, rowsMax: number): number => {
  if (frames.size === 0) return rowsMax;
  let bytes = 0;
  for (const frame of frames.values()) bytes += frame.bytes.length;
  const fitting = Math.floor((partBytes * frames.size) / Math.max(1, bytes));
  return Math.max(partRowsLeast, Math.min(fitting, partRowsMax));
};
