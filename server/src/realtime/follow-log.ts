import type { Writable } from 'node:stream';
import { realtimeCloseCodes } from '@postrider/contract';
import { WebSocket } from 'ws';
import type { Context } from '../context.ts';
import { onBehalfOf } from '../db/fair-connections.ts';
import type { LogFilters, LogPart, LogPlace } from '../events/read-log.ts';
import { wait } from '../lib/concurrency/wait.ts';
import { renderFrames } from '../messages/render/render-frames.ts';
import { ownerOf } from '../workspaces/plan.ts';
import { givePart, type LiveFeed, type LogFollower } from './live-feed.ts';
import {
  catchUpTurns,
  type FramePart,
  partBytes,
  partRowsLeast,
  readFrames,
  rowsAfter,
} from './read-frames.ts';

/** How much may wait in this process to be taken by one socket, beside the frame that goes over it. */
const waitingBytesMax = 1_048_576;
/** A socket that takes nothing of it for so long is cut. */
const takeWithinMs = 15_000;
const tryAgainMs = 1_000;
const asText = { binary: false };

/** A socket and the connection that it goes over. */
export interface OpenSocket {
  socket: WebSocket;
  connection: Pick<Writable, 'cork' | 'uncork'>;
}

/**
 * Sends a socket every event behind a place that its filters let through, in order: from the log until it has all that is there,
 * then from the live feed, and from the log again whenever it reads slower than events come.
 */
export const followLog = (
  ctx: Context,
  { socket, connection }: OpenSocket,
  feed: LiveFeed,
  filters: LogFilters,
  from: LogPlace,
): void => {
  const follower: LogFollower = {
    filters,
    place: from,
    give: (frame) => {
      if (socket.bufferedAmount >= waitingBytesMax) letGo(connection);
      if (socket.bufferedAmount >= waitingBytesMax) return false;
      socket.send(frame, asText);
      return true;
    },
    together: (work) => {
      connection.cork();
      try {
        return work();
      } finally {
        connection.uncork();
      }
    },
    onBehind: () => void catchUp(),
  };
  const isOpen = () => socket.readyState === WebSocket.OPEN;
  const catchUp = async () => {
    let rowsMax = partRowsLeast;
    while (isOpen()) {
      if (!(await hasTaken(socket, ctx.timeScale.scaleMs(takeWithinMs)))) return closeAs(socket, 'tooSlow');
      try {
        const given = isOpen() ? await giveNext(ctx, follower, isOpen, rowsMax) : undefined;
        if (given) rowsMax = rowsAfter(given.frames, rowsMax);
        if (given?.isEnd && isOpen() && feed.join(follower)) return;
      } catch (error) {
        ctx.log.warn({ err: error, requestId: ctx.requestId }, 'a socket could not read the log');
        await wait(tryAgainMs);
      }
    }
  };
  socket.once('close', () => feed.leave(follower));
  void catchUp();
};

/** Lets what is held together go, so that what waits is what is not taken. */
const letGo = (connection: OpenSocket['connection']): void => {
  connection.uncork();
  connection.cork();
};

/** Gives a follower the next part of the log, and returns it if the follower took all of it. */
const giveNext = async (
  ctx: Context,
  follower: LogFollower,
  isWanted: () => boolean,
  rowsMax: number,
): Promise<FramePart | undefined> => {
  const { filters, place } = follower;
  // A client that reads on from a place of its own may have changed the message just now.
  const wants = ({ rows }: LogPart) => (isWanted() ? rows : []);
  const render: typeof renderFrames = (context, rows) => renderFrames(context, rows, partBytes);
  const read = () => readFrames(ctx, place, filters, wants, render, rowsMax);
  const part = await catchUpTurns.run(ctx.workspaceId, () => onBehalfOf(ownerOf(ctx), read));
  if (!follower.together(() => givePart(follower, part))) return undefined;
  follower.place = part.next;
  return part;
};

/**
 * Whether what was sent so far leaves this process, or there is nobody left to take it; false once none of it does for so long.
 * Nothing else is sent to the socket meanwhile.
 */
export const hasTaken = async (
  socket: Pick<WebSocket, 'bufferedAmount' | 'ping'>,
  withinMs: number,
): Promise<boolean> => {
  if (socket.bufferedAmount === 0) return true;
  const taken = new AbortController();
  // It goes out behind everything else, and is what a silent peer is asked anyway.
  socket.ping('', false, () => taken.abort());
  for (;;) {
    const before = socket.bufferedAmount;
    if ((await wait(withinMs, taken.signal)) === 'aborted') return true;
    if (socket.bufferedAmount >= before) return false;
  }
};

/** Closes a socket with one of the codes of the contract. */
export const closeAs = (socket: WebSocket, why: keyof typeof realtimeCloseCodes): void => {
  const { code, meaning } = realtimeCloseCodes[why];
  socket.close(code, meaning);
};
