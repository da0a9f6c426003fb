import { type Changes, changesEvents } from '@postrider/contract/console';
import type { RequestHandler, Response } from 'express';
import { type Context, contextOf } from '../context.ts';
import { ApiError, unavailable } from '../lib/api-error.ts';
import { whenClosed } from '../lib/concurrency/client-gone.ts';
import { type ChangeFeed, openChangeFeed, type Page } from './change-feed.ts';
import { signedInMember } from './signed-in.ts';

const pagesPerWorkspaceMax = 500;
const pagesPerPersonMax = 60;
/** A page that takes nothing is cut off above this. Its browser connects again. */
const unreadBytesMax = 262_144;
/** Proxies close connections on which nothing is sent. */
const aliveMs = 25_000;

/** The feed of a workspace, and the number of requests that use it or wait for it. */
interface Room {
  feed: Promise<ChangeFeed>;
  users: number;
}

/**
 * Responds to `/console/api/changes` with a stream of server-sent events that lasts until the page is closed, its session ends or the
 * server stops. After a break the browser connects again, and the page reads everything once more.
 */
export function serveChanges(): RequestHandler {
  const rooms = new Map<string, Room>();
  const leave = (workspaceId: string, room: Room) => {
    room.users -= 1;
    if (room.users > 0) return;
    if (rooms.get(workspaceId) === room) rooms.delete(workspaceId);
    void room.feed.then((feed) => feed.close()).catch(() => {});
  };
  return async (_req, res) => {
    const { sessionId, personId } = signedInMember(res);
    const ctx = contextOf(res);
    if (ctx.stopping.aborted) throw unavailable();
    const { workspaceId } = ctx;
    const room = rooms.get(workspaceId) ?? { feed: openChangeFeed(ctx), users: 0 };
    rooms.set(workspaceId, room);
    room.users += 1;
    whenClosed(res, () => leave(workspaceId, room));
    const { pages } = await room.feed;
    requireRoom(pages, personId);
    const page = openPage(ctx, res, { sessionId, personId });
    pages.add(page);
    whenClosed(res, () => pages.delete(page));
  };
}

function requireRoom(pages: Set<Page>, personId: string): void {
  const own = [...pages].filter((page) => page.personId === personId).length;
  if (own >= pagesPerPersonMax) throw tooManyPages(pagesPerPersonMax);
  if (pages.size >= pagesPerWorkspaceMax) throw tooManyPages(pagesPerWorkspaceMax);
}

function tooManyPages(limit: number): ApiError {
  return new ApiError(
    'limit_reached',
    { limit },
    { message: 'Too many pages are open. Close some of them.' },
  );
}

function openPage(ctx: Context, res: Response, owner: Pick<Page, 'sessionId' | 'personId'>): Page {
  res.set({ 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
  res.flushHeaders();
  const write = (text: string) => {
    if (res.writableLength > unreadBytesMax) res.destroy();
    else res.write(text);
  };
  const alive = setInterval(() => write(':\n\n'), aliveMs);
  alive.unref();
  const leave = () => void res.end();
  ctx.stopping.addEventListener('abort', leave, { once: true });
  whenClosed(res, () => {
    clearInterval(alive);
    ctx.stopping.removeEventListener('abort', leave);
  });
  write(':\n\n');
  return {
    ...owner,
    send: (changes: Changes) =>
      write(`event: ${changesEvents.changes}\ndata: ${JSON.stringify(changes)}\n\n`),
    tell: (what) => write(`event: ${changesEvents[what]}\ndata: {}\n\n`),
    end: () => {
      write(`event: ${changesEvents.ended}\ndata: {}\n\n`);
      res.end();
    },
  };
}
