/*
 * The open sockets of this process. Each workspace with sockets has a feed of its log, which wake-ups start reading. One query for
 * all workspaces finds from time to time events whose wake-up was lost.
 */
import { limits } from '@postrider/contract';
import { sql } from 'kysely';
import type { WebSocket } from 'ws';
import { type Context, credentialOf } from '../context.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import type { LogFilters, LogPlace } from '../events/read-log.ts';
import { untilExpiryMs } from '../events/wait-for-change.ts';
import { findEnded, type Holder } from '../keys/authenticate.ts';
import { ApiError } from '../lib/api-error.ts';
import { wait } from '../lib/concurrency/wait.ts';
import { nothingDue, startLoop, type WorkerLoop } from '../lib/concurrency/worker-loop.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { closeAs, followLog, type OpenSocket } from './follow-log.ts';
import { createKeepAlive } from './keep-alive.ts';
import { createLiveFeed, type LiveFeed } from './live-feed.ts';

const pingMs = 25_000;
/** As in RFC 6455, section 7.4.1. */
const goingAway = 1_001;

/** The events that a socket gets. */
export interface Following {
  filters: LogFilters;
  /** Null if the events after it are no longer kept. */
  from: LogPlace | null;
}

/** The sockets of a process. */
export interface SocketHub {
  /**
   * Takes one of the places of the caller's workspace, which the answered function gives back.
   *
   * @throws ApiError `limit_reached` when all are taken.
   */
  enter(ctx: Context): () => void;
  /** Sends an open socket its first frame and its events until either side closes it or its key is revoked. */
  follow(ctx: Context, opened: OpenSocket, following: Following): void;
  /** Closes every socket as going away, and cuts those that are still open after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

interface Room {
  places: number;
  feed: LiveFeed;
  /** Open sockets, and who opened them. */
  sockets: Map<WebSocket, Holder>;
  unlisten(): void;
}

function tooManySockets() {
  const message =
    'As many realtime sockets of this workspace are open as may be at once. Close one first; one socket can follow all inboxes.';
  return new ApiError('limit_reached', { limit: limits.socketsPerWorkspaceMax }, { message });
}

/** Creates the hub of a process. */
export function createSocketHub(deps: Deps): SocketHub {
  const rooms = new Map<string, Room>();
  const keepAlive = createKeepAlive(deps.timeScale.scaleMs(pingMs));
  const onError = (error: unknown) =>
    deps.log.warn({ err: error }, 'sockets were not notified of new events');
  const openRoom = (workspaceId: string): Room => {
    const feed = createLiveFeed({ ...deps, workspaceId, scope: wholeWorkspace }, onError);
    const sockets = new Map<WebSocket, Holder>();
    const stopLog = deps.wakeups.listen(workspaceId, feed.look, 'log');
    const stopKeys = deps.wakeups.listen(
      workspaceId,
      () => void closeEnded(deps, [sockets], onError),
      'keys',
    );
    const unlisten = () => {
      stopLog();
      stopKeys();
    };
    const room = { places: 0, feed, sockets, unlisten };
    rooms.set(workspaceId, room);
    return room;
  };
  const looking = lookForMissed(deps, rooms, onError);
  return {
    enter: ({ workspaceId }) => {
      const room = rooms.get(workspaceId) ?? openRoom(workspaceId);
      if (room.places >= limits.socketsPerWorkspaceMax) throw tooManySockets();
      room.places += 1;
      return () => {
        room.places -= 1;
        if (room.places > 0) return;
        room.unlisten();
        rooms.delete(workspaceId);
      };
    },
    follow: (ctx, opened, { filters, from }) => {
      const { socket } = opened;
      const room = rooms.get(ctx.workspaceId);
      if (!room) throw new Error('A socket follows the log without a place.');
      room.sockets.set(socket, { id: credentialOf(ctx.actor) ?? '', inboxIds: ctx.scope.inboxIds });
      const expiry = atExpiry(ctx, () => void closeEnded(deps, [room.sockets], onError));
      socket.once('close', () => {
        clearTimeout(expiry);
        room.sockets.delete(socket);
      });
      keepAlive.add(socket);
      if (from === null) return closeAs(socket, 'cursorExpired');
      const connected = { workspace_id: ctx.workspaceId, cursor: from.eventId };
      socket.send(JSON.stringify({ event: 'connected', data: connected }));
      followLog(ctx, opened, room.feed, filters, from);
      // The key was valid when the handshake began, and may have been changed before this socket was registered.
      void closeEnded(deps, [room.sockets], onError);
    },
    close: async (graceMs) => {
      keepAlive.stop();
      await Promise.all([endWithin(looking.stop(), graceMs), closeAll(rooms, graceMs)]);
    },
  };
}

function lookForMissed(deps: Deps, rooms: Map<string, Room>, onError: (error: unknown) => void): WorkerLoop {
  const look = async () => {
    const taken = [...rooms].flatMap(([workspaceId, { feed }]) => {
      const position = feed.position();
      return position === null ? [] : [{ workspaceId, position }];
    });
    const sockets = [...rooms.values()].map((room) => room.sockets);
    await closeEnded(deps, sockets, onError);
    for (const workspaceId of await findBehind(deps, taken)) rooms.get(workspaceId)?.feed.look();
    return nothingDue;
  };
  return startLoop({ look, onError, lookAgainMs: deps.lookAgainMs });
}

/**
 * Closes the sockets whose keys or sessions have ended, and those whose keys have other inboxes now, so that their clients connect anew.
 */
async function closeEnded(
  deps: Deps,
  rooms: Room['sockets'][],
  onError: (error: unknown) => void,
): Promise<void> {
  const holders = rooms.flatMap((sockets) => [...sockets].map(([socket, holder]) => ({ ...holder, socket })));
  const ended = await findEnded(deps, holders).catch((error: unknown) => {
    onError(error);
    return new Map<never, never>();
  });
  for (const [{ socket }, ending] of ended)
    if (ending === 'revoked') closeAs(socket, 'keyRevoked');
    else socket.close(goingAway, 'The inboxes of the API key were changed.');
}

/** A timer that has more milliseconds would end at once. What is left is found by the next look for missed events. */
const timerMsMax = 2 ** 31 - 1;

function atExpiry(ctx: Context, work: () => void): NodeJS.Timeout | undefined {
  const leftMs = untilExpiryMs(ctx);
  return leftMs > timerMsMax ? undefined : setTimeout(work, leftMs).unref();
}

/** A query to a database that hangs must not keep the process from stopping. */
async function endWithin(work: Promise<void>, ms: number): Promise<void> {
  const ended = new AbortController();
  await Promise.race([work.finally(() => ended.abort()), wait(ms, ended.signal)]);
}

async function closeAll(rooms: Map<string, Room>, graceMs: number): Promise<void> {
  const sockets = [...rooms.values()].flatMap((room) => [...room.sockets.keys()]);
  const closed = sockets.map((socket) => new Promise<void>((resolve) => void socket.once('close', resolve)));
  for (const socket of sockets) socket.close(goingAway, 'The server is stopping.');
  const cut = setTimeout(() => {
    for (const socket of sockets) socket.terminate();
  }, graceMs);
  await Promise.all(closed);
  clearTimeout(cut);
}

/** Returns the workspaces that have events after the given position of their log, with one query for any number of them. */
async function findBehind(
  deps: Pick<Deps, 'db'>,
  taken: { workspaceId: string; position: number }[],
): Promise<string[]> {
  if (taken.length === 0) return [];
  const ids = taken.map(({ workspaceId }) => workspaceId);
  const positions = taken.map(({ position }) => position);
  const { rows } = await sql<{ workspace_id: string }>`
    select each.workspace_id from unnest(${ids}::text[], ${positions}::bigint[]) as each (workspace_id, position)
      where exists (select from events
        where events.workspace_id = each.workspace_id and events.position > each.position)
  `.execute(acrossWorkspaces(deps, 'one look for all whose sockets are open here'));
  return rows.map((row) => row.workspace_id);
}
