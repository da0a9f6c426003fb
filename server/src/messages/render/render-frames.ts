import type { EventKind } from '@postrider/contract';
import type { Db } from '../../db/database.ts';
import type { EventRow } from '../../events/read-log.ts';
import { render } from '../../lib/rendered.ts';
import { type RenderContext, renderEvents } from './render-events.ts';

/** An event as it is sent: the body of a webhook's post, and the frame of a socket. */
export interface Frame {
  kind: EventKind;
  /** Whether its message is there, which is not so once it or its inbox is deleted. */
  hasMessage: boolean;
  bytes: Buffer;
}

/** Frames by the ids of their events. */
export type Frames = ReadonlyMap<string, Frame>;

/** Events of one workspace as they are sent, by `renderEvents`: of many large ones only the first, as many as fit into `bytesMax`. */
export const renderFrames = async (
  ctx: RenderContext,
  rows: EventRow[],
  bytesMax?: number,
): Promise<Frames> =>
  new Map(
    (await renderEvents(ctx, rows, bytesMax)).map((event) => [
      event.id,
      {
        kind: event.event,
        hasMessage: event.message !== null,
        bytes: render(event),
      },
    ]),
  );

const sharedMs = 250;
const sharedMax = 1_024;
/** A frame may have hundreds of kilobytes, so few are shared where they are large. */
const sharedBytesMax = 16_777_216;

/** What is shared of one database: the renderings by workspace and event, and how large those are that have ended. */
interface Shared {
  frames: Map<string, Promise<Frames>>;
  bytes: number;
}

const sharedOf = new WeakMap<Db, Shared>();

/**
 * As `renderFrames`, but for what was rendered in the quarter second before: webhooks and sockets that follow the log come for the
 * same events at almost the same time, and one rendering does for both. Not for who asks about an event by itself, since it shows
 * the message as it is now.
 */
export const renderFramesOnce = async (ctx: RenderContext, rows: EventRow[]): Promise<Frames> => {
  const shared = sharedOf.get(ctx.db) ?? { frames: new Map(), bytes: 0 };
  sharedOf.set(ctx.db, shared);
  const missing = rows.filter((row) => !shared.frames.has(keyOf(row)));
  const rendering = renderFrames(ctx, missing);
  const parts = rows.map((row) => shared.frames.get(keyOf(row)) ?? rendering);
  if (missing.length > 0 && shared.frames.size + missing.length <= sharedMax)
    share(shared, missing, rendering);
  const found = await Promise.all(parts);
  const frames = new Map<string, Frame>();
  for (const [index, { id }] of rows.entries()) {
    const frame = found[index]?.get(id);
    // An event that did not fit beside the others is rendered with those that follow it.
    if (!frame) break;
    frames.set(id, frame);
  }
  return frames.size > 0 ? frames : renderFrames(ctx, rows);
};

const keyOf = ({ workspace_id, id }: EventRow): string => `${workspace_id} ${id}`;

const share = (shared: Shared, rows: EventRow[], frames: Promise<Frames>): void => {
  const keys = rows.map(keyOf);
  let bytes = 0;
  let isShared = true;
  const forget = () => {
    clearTimeout(timer);
    if (!isShared) return;
    for (const key of keys) shared.frames.delete(key);
    shared.bytes -= bytes;
    isShared = false;
  };
  for (const key of keys) shared.frames.set(key, frames);
  const timer = setTimeout(forget, sharedMs).unref();
  frames.then((rendered) => {
    if (!isShared) return;
    // An event that did not fit beside the others is rendered when it is asked for again.
    for (const row of rows) if (!rendered.has(row.id)) shared.frames.delete(keyOf(row));
    for (const frame of rendered.values()) bytes += frame.bytes.length;
    shared.bytes += bytes;
    if (shared.bytes > sharedBytesMax) forget();
  }, forget);
};
