import type { EventKind } from '@postrider/contract';
import type { Db } from '../db/database.ts';
import type { EventRow } from '../events/read-log.ts';
import { type RenderContext, renderEvents } from './render-events.ts';

/** An event as it is sent: the body of a webhook's post, and the frame of a socket. */
export interface Frame {
  kind: EventKind;
  /** Whether its message is there, which is not so once its inbox is deleted. */
  hasMessage: boolean;
  bytes: Buffer;
}

/** Frames by the ids of their events. */
export type Frames = ReadonlyMap<string, Frame>;

/** Events of one workspace as they are sent, by `renderEvents`. */
export const renderFrames = async (ctx: RenderContext, rows: EventRow[]): Promise<Frames> =>
  new Map(
    (await renderEvents(ctx, rows)).map((event) => [
      event.id,
      {
        kind: event.event,
        hasMessage: event.message !== null,
        bytes: Buffer.from(JSON.stringify(event)),
      },
    ]),
  );

const sharedMs = 250;
/** A frame may have 128 KiB. */
const sharedMax = 256;

/** What is shared of each database, by workspace and event. */
const shared = new WeakMap<Db, Map<string, Promise<Frames>>>();

/**
 * As `renderFrames`, but for what was rendered in the quarter second before: webhooks and sockets that follow the log come for the
 * same events at almost the same time, and one rendering does for both. Not for who asks about an event by itself, since it shows
 * the message as it is now.
 */
export const renderFramesOnce = async (ctx: RenderContext, rows: EventRow[]): Promise<Frames> => {
  const known = shared.get(ctx.db) ?? new Map<string, Promise<Frames>>();
  shared.set(ctx.db, known);
  const missing = rows.filter((row) => !known.has(keyOf(row)));
  const parts = new Set(rows.flatMap((row) => known.get(keyOf(row)) ?? []));
  if (missing.length > 0) {
    const frames = renderFrames(ctx, missing);
    parts.add(frames);
    if (known.size + missing.length <= sharedMax) share(known, missing.map(keyOf), frames);
  }
  const found = new Map((await Promise.all(parts)).flatMap((frames) => [...frames]));
  return new Map(rows.map(({ id }) => [id, found.get(id) as Frame]));
};

const keyOf = ({ workspace_id, id }: EventRow): string => `${workspace_id} ${id}`;

const share = (known: Map<string, Promise<Frames>>, keys: string[], frames: Promise<Frames>): void => {
  const forget = () => {
    for (const key of keys) known.delete(key);
  };
  for (const key of keys) known.set(key, frames);
  const timer = setTimeout(forget, sharedMs).unref();
  frames.catch(() => {
    clearTimeout(timer);
    forget();
  });
};
