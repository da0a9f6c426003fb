import type { Context } from '../context.ts';
import type { LogFilters, LogPart, LogPlace } from '../events/read-log.ts';
import { wait } from '../lib/concurrency/wait.ts';
import { serializeEvents } from '../messages/render-events.ts';
import { closeAs, type EventChannel } from './event-channel.ts';
import { deliverPart, type LiveFeed, type LogFollower } from './live-feed.ts';
import {
  catchUpTurns,
  type PayloadPart,
  partBytes,
  partRowsLeast,
  readPayloads,
  rowsAfter,
} from './read-payloads.ts';

/** The bytes that may wait in this process for one client, in addition to the event being sent. */
const waitingBytesMax = 1_048_576;
/** A client that takes none of them for this long is cut. */
const takeWithinMs = 15_000;
const tryAgainMs = 1_000;

/**
 * Sends a client every event after a place that passes its filters, in order: from the log until it has caught up, then from the live
 * feed, and from the log again whenever it reads more slowly than events arrive. Returns its follower, which has its place.
 */
export function followLog(
  ctx: Context,
  channel: EventChannel,
  feed: LiveFeed,
  filters: LogFilters,
  from: LogPlace,
): LogFollower {
  const follower: LogFollower = {
    filters,
    place: from,
    give: (json, row) => {
      if (channel.waitingBytes >= waitingBytesMax) letGo(channel);
      if (channel.waitingBytes >= waitingBytesMax) return false;
      channel.send(json, row);
      return true;
    },
    together: (work) => {
      channel.cork();
      try {
        return work();
      } finally {
        channel.uncork();
      }
    },
    onLagging: () => void catchUp(),
  };
  const isOpen = () => channel.isOpen;
  const catchUp = async () => {
    let rowsMax = partRowsLeast;
    while (isOpen()) {
      if (!(await hasTaken(channel, ctx.timeScale.scaleMs(takeWithinMs)))) return closeAs(channel, 'tooSlow');
      try {
        const given = isOpen() ? await giveNext(ctx, follower, isOpen, rowsMax) : undefined;
        if (given) rowsMax = rowsAfter(given.payloads, rowsMax);
        if (given?.isEnd && isOpen() && feed.join(follower)) return;
      } catch (error) {
        ctx.log.warn({ err: error, requestId: ctx.requestId }, `a ${channel.kind} could not read the log`);
        await wait(tryAgainMs);
      }
    }
  };
  channel.onceClosed(() => feed.leave(follower));
  void catchUp();
  return follower;
}

/** Sends corked bytes, so that only bytes that the client does not take are waiting. */
function letGo(channel: EventChannel): void {
  channel.uncork();
  channel.cork();
}

/** Sends a follower the next part of the log, and returns that if the follower took all of it. */
async function giveNext(
  ctx: Context,
  follower: LogFollower,
  isWanted: () => boolean,
  rowsMax: number,
): Promise<PayloadPart | undefined> {
  const { filters, place } = follower;
  // A client that continues from a place of its own may have changed the message just now.
  const wants = ({ rows }: LogPart) => (isWanted() ? rows : []);
  const render: typeof serializeEvents = (context, rows) => serializeEvents(context, rows, partBytes);
  const read = () => readPayloads(ctx, place, filters, wants, render, rowsMax);
  const part = await catchUpTurns(ctx).run(ctx.workspaceId, read);
  if (!follower.together(() => deliverPart(follower, part))) return undefined;
  follower.place = part.next;
  return part;
}

/**
 * Resolves to true once everything sent so far has left this process or the channel is closed, and to false if none of it leaves for
 * too long. Nothing else is sent over the channel meanwhile.
 */
export async function hasTaken(
  channel: Pick<EventChannel, 'waitingBytes' | 'whenSent'>,
  withinMs: number,
): Promise<boolean> {
  if (channel.waitingBytes === 0) return true;
  const taken = new AbortController();
  channel.whenSent(() => taken.abort());
  for (;;) {
    const before = channel.waitingBytes;
    if ((await wait(withinMs, taken.signal)) === 'aborted') return true;
    if (channel.waitingBytes >= before) return false;
  }
}
