import { setTimeout as pause } from 'node:timers/promises';
import { type EventRow, type LogFilters, type LogPart, type LogPlace, readLog } from '../events/read-log.ts';
import { createFairTurns } from '../lib/concurrency/fair-turns.ts';
import type { RenderContext } from '../messages/render/render-events.ts';
import type { Frames, renderFrames } from '../messages/render/render-frames.ts';

/** A part of the log with the frames of the events that are wanted. */
export interface FramePart extends LogPart {
  frames: Frames;
}

/** The events of one part. A part of 25 events with bodies of 64 KiB has megabytes, and several parts are in memory at once. */
export const partRowsLeast = 25;
const partRowsMax = 100;
export const partBytes = 524_288;
const readersMax = 4;
/** The live feeds of workspaces. */
export const feedTurns = createFairTurns({ atOnceMax: () => readersMax, atOnceOf: () => readersMax });
const catchUpRest = { share: 3, msMax: 400 };
/**
 * Sockets that catch up take the event loop, which makes frames and runs the embedded database, and the processors, on which Postgres
 * decompresses long mails. After each part they leave both to others for three times as long, however many sockets a workspace has.
 */
export const catchUpTurns = createFairTurns({
  atOnceMax: () => readersMax,
  atOnceOf: () => 1,
  rest: (tookMs) => pause(Math.min(catchUpRest.share * tookMs, catchUpRest.msMax)),
});

/**
 * Returns the next part of the log after a place, with each event as the bytes of its frame. `wants` is called with all events of the
 * part at once.
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

/** Returns the part before an event that was too large for it, with which the next part begins. */
const partBefore = (part: LogPart, event: EventRow | undefined): LogPart => {
  const end = event ? part.rows.indexOf(event) : -1;
  const last = part.rows[end - 1];
  if (!last) return part;
  const next = { position: last.position ?? 0, eventId: last.id };
  return { rows: part.rows.slice(0, end), next, isEnd: false };
};

/**
 * Returns the number of events of the next part: as many as are likely to have half a megabyte, judged by these frames. In a flood of
 * small events, a socket that got few at a time would never catch up.
 */
export const rowsAfter = (frames: Frames, rowsMax: number): number => {
  if (frames.size === 0) return rowsMax;
  let bytes = 0;
  for (const frame of frames.values()) bytes += frame.bytes.length;
  const fitting = Math.floor((partBytes * frames.size) / Math.max(1, bytes));
  return Math.max(partRowsLeast, Math.min(fitting, partRowsMax));
};
