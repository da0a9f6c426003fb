/*
 * The clients that follow the log in this process, by sockets and by streams of server-sent events, which are the same here. Each
 * workspace with such clients has a feed of its log, which wake-ups start reading. One query for all workspaces finds from time to time
 * events whose wake-up was lost.
 */
import { limits } from '@postrider/contract';
import { sql } from 'kysely';
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
import { closeAs, type EventChannel } from './event-channel.ts';
import { followLog } from './follow-log.ts';
import { createKeepAlive } from './keep-alive.ts';
import { createLiveFeed, type LiveFeed } from './live-feed.ts';

/** The interval at which sockets get a ping, and streams a comment. */
const beatMs = { socket: 25_000, stream: 15_000 };
/** As in RFC 6455, section 7.4.1. */
const goingAway = 1_001;

/** The events that a client gets. */
export interface Following {
  filters: LogFilters;
  /** Null if the events after it are no longer kept. */
  from: LogPlace | null;
}

/** The channels of a process. */
export interface SocketHub {
  /**
   * Takes one of the places of the caller's workspace. The returned function gives it back.
   *
   * @throws ApiError `limit_reached` when all are taken.
   */
  enter(ctx: Context): () => void;
  /** Tells the client of an open channel where it begins, and sends its events until either side closes it or its key is revoked. */
  follow(ctx: Context, channel: EventChannel, following: Following): void;
  /** Closes every channel as going away, and cuts those that are still open after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

interface Room {
  places: number;
  feed: LiveFeed;
  /** Open channels, and who opened them. */
  channels: Map<EventChannel, Holder>;
  unlisten(): void;
}

function tooManySockets() {
  const message =
    'This workspace has too many open realtime sockets and streams. Close one first; a single one can follow all inboxes.';
  return new ApiError('limit_reached', { limit: limits.socketsPerWorkspaceMax }, { message });
}

/** Creates the hub of a process. */
export function createSocketHub(deps: Deps): SocketHub {
  const rooms = new Map<string, Room>();
  const keepAlive = {
    socket: createKeepAlive(deps.timeScale.scaleMs(beatMs.socket)),
    stream: createKeepAlive(deps.timeScale.scaleMs(beatMs.stream)),
  };
  const onError = (error: unknown) =>
    deps.log.warn({ err: error }, 'sockets and streams were not notified of new events');
  const openRoom = (workspaceId: string): Room => {
    const feed = createLiveFeed({ ...deps, workspaceId, scope: wholeWorkspace }, onError);
    const channels = new Map<EventChannel, Holder>();
    const stopLog = deps.wakeups.listen(workspaceId, feed.look, 'log');
    const stopKeys = deps.wakeups.listen(
      workspaceId,
      () => void closeEnded(deps, [channels], onError),
      'keys',
    );
    const unlisten = () => {
      stopLog();
      stopKeys();
    };
    const room = { places: 0, feed, channels, unlisten };
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
    follow: (ctx, channel, { filters, from }) => {
      const room = rooms.get(ctx.workspaceId);
      if (!room) throw new Error('A client follows the log without a place.');
      room.channels.set(channel, { id: credentialOf(ctx.actor) ?? '', inboxIds: ctx.scope.inboxIds });
      const expiry = atExpiry(ctx, () => void closeEnded(deps, [room.channels], onError));
      channel.onceClosed(() => {
        clearTimeout(expiry);
        room.channels.delete(channel);
      });
      if (from === null) return closeAs(channel, 'cursorExpired');
      channel.begin(ctx.workspaceId, from.eventId);
      const follower = followLog(ctx, channel, room.feed, filters, from);
      keepAlive[channel.kind].add(channel, () => channel.beat(follower.place.eventId));
      // The key was valid when the request began, and may have been changed before this channel was registered.
      void closeEnded(deps, [room.channels], onError);
    },
    close: async (graceMs) => {
      for (const one of Object.values(keepAlive)) one.stop();
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
    const channels = [...rooms.values()].map((room) => room.channels);
    await closeEnded(deps, channels, onError);
    for (const workspaceId of await findBehind(deps, taken)) rooms.get(workspaceId)?.feed.look();
    return nothingDue;
  };
  return startLoop({ look, onError, lookAgainMs: deps.lookAgainMs });
}

/** Closes the channels whose keys or sessions have ended, and those whose keys now have other inboxes, so that their clients reconnect. */
async function closeEnded(
  deps: Deps,
  rooms: Room['channels'][],
  onError: (error: unknown) => void,
): Promise<void> {
  const holders = rooms.flatMap((channels) =>
    [...channels].map(([channel, holder]) => ({ ...holder, channel })),
  );
  const ended = await findEnded(deps, holders).catch((error: unknown) => {
    onError(error);
    return new Map<never, never>();
  });
  for (const [{ channel }, ending] of ended)
    if (ending === 'revoked') closeAs(channel, 'keyRevoked');
    else channel.end(goingAway, 'The inboxes of the API key were changed.');
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
  const channels = [...rooms.values()].flatMap((room) => [...room.channels.keys()]);
  const closed = channels.map(
    (channel) => new Promise<void>((resolve) => channel.onceClosed(() => resolve())),
  );
  for (const channel of channels) channel.end(goingAway, 'The server is stopping.');
  const cut = setTimeout(() => {
    for (const channel of channels) channel.cut();
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
  `.execute(acrossWorkspaces(deps, 'one look for all whose clients follow the log here'));
  return rows.map((row) => row.workspace_id);
}
