import { type EventRow, type LogFilters, type LogPart, type LogPlace, readLog } from '../events/read-log.ts';
import { catchUpSlots, feedSlots } from '../lib/admission/server-limits.ts';
import { Slots } from '../lib/admission/slots.ts';
import { perServer } from '../lib/memory.ts';
import type { EventPayloads, RenderContext, serializeEvents } from '../messages/render-events.ts';

/** A part of the log with the payloads of the events that are wanted. */
export interface PayloadPart extends LogPart {
  payloads: EventPayloads;
}

/** The events of one part. A part of 25 events with bodies of 64 KiB has megabytes, and several parts are in memory at once. */
export const partRowsLeast = 25;
const partRowsMax = 100;
export const partBytes = 524_288;
/** The live feeds of workspaces. */
export const feedTurns = perServer(() => new Slots(feedSlots));
/**
 * Sockets that catch up take the event loop, which makes payloads, and the processors, on which Postgres
 * decompresses long mails. After each part they leave both to others for three times as long, however many sockets a workspace has.
 */
export const catchUpTurns = perServer(() => new Slots(catchUpSlots));

/**
 * Returns the next part of the log after a place, with each event as the bytes of its payload. `wants` is called with all events of the
 * part at once.
 */
export async function readPayloads(
  ctx: RenderContext,
  from: LogPlace,
  filters: LogFilters,
  wants: (part: LogPart) => EventRow[],
  render: typeof serializeEvents,
  rowsMax = partRowsLeast,
): Promise<PayloadPart> {
  const part = await readLog(ctx, from, filters, rowsMax);
  const wanted = wants(part);
  const payloads = await render(ctx, wanted);
  return { ...partBefore(part, wanted[payloads.size]), payloads };
}

/** Returns the part before an event that was too large for it, with which the next part begins. */
function partBefore(part: LogPart, event: EventRow | undefined): LogPart {
  const end = event ? part.rows.indexOf(event) : -1;
  const last = part.rows[end - 1];
  if (!last) return part;
  const next = { position: last.position ?? 0, eventId: last.id };
  return { rows: part.rows.slice(0, end), next, isEnd: false };
}

/**
 * Returns the number of events of the next part: as many as are likely to have half a megabyte, judged by these payloads. In a flood of
 * small events, a socket that got few at a time would never catch up.
 */
export function rowsAfter(payloads: EventPayloads, rowsMax: number): number {
  if (payloads.size === 0) return rowsMax;
  let bytes = 0;
  for (const payload of payloads.values()) bytes += payload.bytes.length;
  const fitting = Math.floor((partBytes * payloads.size) / Math.max(1, bytes));
  return Math.max(partRowsLeast, Math.min(fitting, partRowsMax));
}
