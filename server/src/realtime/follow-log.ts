import type { Writable } from 'node:stream';
import { realtimeCloseCodes } from '@postrider/contract';
import { WebSocket } from 'ws';
import type { Context } from '../context.ts';
import type { LogFilters, LogPart, LogPlace } from '../events/read-log.ts';
import { wait } from '../lib/concurrency/wait.ts';
import { serializeEvents } from '../messages/render-events.ts';
import { deliverPart, type LiveFeed, type LogFollower } from './live-feed.ts';
import {
  catchUpTurns,
  type PayloadPart,
  partBytes,
  partRowsLeast,
  readPayloads,
  rowsAfter,
} from './read-payloads.ts';

/** The bytes that may wait in this process for one socket, in addition to the frame being sent. */
const waitingBytesMax = 1_048_576;
/** A socket that takes none of them for this long is cut. */
const takeWithinMs = 15_000;
const tryAgainMs = 1_000;
const asText = { binary: false };

/** A socket and its connection. */
export interface OpenSocket {
  socket: WebSocket;
  connection: Pick<Writable, 'cork' | 'uncork'>;
}

/**
 * Sends a socket every event after a place that passes its filters, in order: from the log until it has caught up, then from the live
 * feed, and from the log again whenever it reads more slowly than events arrive.
 */
export function followLog(
  ctx: Context,
  { socket, connection }: OpenSocket,
  feed: LiveFeed,
  filters: LogFilters,
  from: LogPlace,
): void {
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
    onLagging: () => void catchUp(),
  };
  const isOpen = () => socket.readyState === WebSocket.OPEN;
  const catchUp = async () => {
    let rowsMax = partRowsLeast;
    while (isOpen()) {
      if (!(await hasTaken(socket, ctx.timeScale.scaleMs(takeWithinMs)))) return closeAs(socket, 'tooSlow');
      try {
        const given = isOpen() ? await giveNext(ctx, follower, isOpen, rowsMax) : undefined;
        if (given) rowsMax = rowsAfter(given.payloads, rowsMax);
        if (given?.isEnd && isOpen() && feed.join(follower)) return;
      } catch (error) {
        ctx.log.warn({ err: error, requestId: ctx.requestId }, 'a socket could not read the log');
        await wait(tryAgainMs);
      }
    }
  };
  socket.once('close', () => feed.leave(follower));
  void catchUp();
}

/** Sends corked bytes, so that only bytes that the client does not take are waiting. */
function letGo(connection: OpenSocket['connection']): void {
  connection.uncork();
  connection.cork();
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
 * Resolves to true once everything sent so far has left this process or the socket is closed, and to false if none of it leaves for
 * too long. Nothing else is sent to the socket meanwhile.
 */
export async function hasTaken(
  socket: Pick<WebSocket, 'bufferedAmount' | 'ping'>,
  withinMs: number,
): Promise<boolean> {
  if (socket.bufferedAmount === 0) return true;
  const taken = new AbortController();
  // A ping leaves after everything else, and a silent peer gets pings anyway.
  socket.ping('', false, () => taken.abort());
  for (;;) {
    const before = socket.bufferedAmount;
    if ((await wait(withinMs, taken.signal)) === 'aborted') return true;
    if (socket.bufferedAmount >= before) return false;
  }
}

/** Closes a socket with a code of the contract. */
export function closeAs(socket: WebSocket, why: keyof typeof realtimeCloseCodes): void {
  const { code, meaning } = realtimeCloseCodes[why];
  socket.close(code, meaning);
}
