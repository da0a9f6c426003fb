import { type Changes, changesEvents } from '@postrider/contract/console';
import type { RequestHandler, Response } from 'express';
import { type Context, contextOf } from '../../context.ts';
import { ApiError, unavailable } from '../../lib/api-error.ts';
import { whenClosed } from '../../lib/concurrency/when-closed.ts';
import { memberOf } from '../signed-in.ts';
import { type ChangeFeed, openChangeFeed, type Page } from './change-feed.ts';

const pagesPerWorkspaceMax = 500;
const pagesPerSessionMax = 30;
/** A page that takes nothing is cut off above this. Its browser connects again. */
const unreadBytesMax = 262_144;
/** Proxies close connections on which nothing is sent. */
const aliveMs = 25_000;

/**
 * Responds to `/console/api/changes` with a stream of server-sent events that lasts until the page is closed, its session ends or the server
 * stops. After a break the browser connects again, and the page reads everything once more.
 */
export function serveChanges(): RequestHandler {
  const feeds = new Map<string, Promise<ChangeFeed>>();
  return async (_req, res) => {
    const { sessionId } = memberOf(res);
    const ctx = contextOf(res);
    if (ctx.stopping.aborted) throw unavailable();
    const { workspaceId } = ctx;
    const opening = feeds.get(workspaceId) ?? openChangeFeed(ctx);
    feeds.set(workspaceId, opening);
    const feed = await opening.catch((error: unknown) => {
      feeds.delete(workspaceId);
      throw error;
    });
    requireRoom(feed, sessionId);
    const page = openPage(ctx, res, sessionId);
    feed.pages.add(page);
    whenClosed(res, () => {
      feed.pages.delete(page);
      if (feed.pages.size > 0) return;
      feed.close();
      feeds.delete(workspaceId);
    });
  };
}

function requireRoom({ pages }: ChangeFeed, sessionId: string): void {
  const own = [...pages].filter((page) => page.sessionId === sessionId).length;
  if (own >= pagesPerSessionMax) throw tooManyPages(pagesPerSessionMax);
  if (pages.size >= pagesPerWorkspaceMax) throw tooManyPages(pagesPerWorkspaceMax);
}

function tooManyPages(limit: number): ApiError {
  return new ApiError(
    'limit_reached',
    { limit },
    { message: 'Too many pages are open. Close some of them.' },
  );
}

function openPage(ctx: Context, res: Response, sessionId: string): Page {
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
    sessionId,
    send: (changes: Changes) =>
      write(`event: ${changesEvents.changes}\ndata: ${JSON.stringify(changes)}\n\n`),
    end: () => {
      write(`event: ${changesEvents.ended}\ndata: {}\n\n`);
      res.end();
    },
  };
}
