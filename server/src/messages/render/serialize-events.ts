import type { EventKind } from '@postrider/contract';
import type { EventRow } from '../../events/read-log.ts';
import { render } from '../../lib/fit-answer.ts';
import { perServer } from '../../lib/memory.ts';
import { type RenderContext, renderEvents } from './render-events.ts';

/** An event as it is sent: the body of a webhook request, or the payload of a socket. */
export interface EventPayload {
  kind: EventKind;
  /** Whether it has its message, which it does not once the message or its inbox is deleted. */
  hasMessage: boolean;
  bytes: Buffer;
}

/** Payloads by the ids of their events. */
export type EventPayloads = ReadonlyMap<string, EventPayload>;

/** Returns events of one workspace as they are sent, from `renderEvents`. If they are large, only the first that fit into `bytesMax`. */
export async function serializeEvents(
  ctx: RenderContext,
  rows: EventRow[],
  bytesMax?: number,
): Promise<EventPayloads> {
  return new Map(
    (await renderEvents(ctx, rows, bytesMax)).map((event) => [
      event.id,
      {
        kind: event.event,
        hasMessage: event.message !== null,
        bytes: render(event),
      },
    ]),
  );
}

const sharedMs = 250;
const sharedMax = 1_024;
/** A payload may have hundreds of kilobytes, so fewer are shared if they are large. */
const sharedBytesMax = 16_777_216;

/** The renderings that are shared, by workspace and event, and the size of those that are complete. */
interface Shared {
  payloads: Map<string, Promise<EventPayloads>>;
  bytes: number;
}

const sharedOf = perServer((): Shared => ({ payloads: new Map(), bytes: 0 }));

/**
 * The same as `serializeEvents`, but reuses what was rendered in the quarter second before: webhooks and sockets that follow the log ask
 * for the same events at almost the same time, and share one rendering. Not for a request for one event, since that shows the message as it
 * is now.
 */
export async function serializeEventsOnce(ctx: RenderContext, rows: EventRow[]): Promise<EventPayloads> {
  const shared = sharedOf(ctx);
  const missing = rows.filter((row) => !shared.payloads.has(keyOf(row)));
  const rendering = serializeEvents(ctx, missing);
  const parts = rows.map((row) => shared.payloads.get(keyOf(row)) ?? rendering);
  if (missing.length > 0 && shared.payloads.size + missing.length <= sharedMax)
    share(shared, missing, rendering);
  const found = await Promise.all(parts);
  const payloads = new Map<string, EventPayload>();
  for (const [index, { id }] of rows.entries()) {
    const payload = found[index]?.get(id);
    // An event that did not fit with the others is rendered with those that follow it.
    if (!payload) break;
    payloads.set(id, payload);
  }
  return payloads.size > 0 ? payloads : serializeEvents(ctx, rows);
}

function keyOf({ workspace_id, id }: EventRow): string {
  return `${workspace_id} ${id}`;
}

function share(shared: Shared, rows: EventRow[], payloads: Promise<EventPayloads>): void {
  const keys = rows.map(keyOf);
  let bytes = 0;
  let isShared = true;
  const forget = () => {
    clearTimeout(timer);
    if (!isShared) return;
    for (const key of keys) shared.payloads.delete(key);
    shared.bytes -= bytes;
    isShared = false;
  };
  for (const key of keys) shared.payloads.set(key, payloads);
  const timer = setTimeout(forget, sharedMs).unref();
  payloads.then((rendered) => {
    if (!isShared) return;
    // An event that did not fit with the others is rendered when it is requested again.
    for (const row of rows) if (!rendered.has(row.id)) shared.payloads.delete(keyOf(row));
    for (const payload of rendered.values()) bytes += payload.bytes.length;
    shared.bytes += bytes;
    if (shared.bytes > sharedBytesMax) forget();
  }, forget);
}
