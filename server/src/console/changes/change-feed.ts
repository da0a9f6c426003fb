/*
 * Tells the open pages of a workspace what happened. All pages share one look at the log, and looks become rarer the longer events come
 * without a pause, so that fifty open pages cost the API the same however much mail there is. A page that needs every event follows the
 * realtime socket instead.
 */
import type { Changes } from '@postrider/contract/console';
import type { Context } from '../../context.ts';
import { findEnded } from '../../keys/find-ended.ts';
import { type Pace, paceWork } from './paced-work.ts';
import { findPosition, readApprovalsVersion, readChanges, readControlVersion } from './read-changes.ts';

/** An open page. */
export interface Page {
  sessionId: string;
  personId: string;
  send(changes: Changes): void;
  /** Tells that people changed what may be sent, or that other messages wait for approval than before. */
  tell(what: 'control' | 'approvals'): void;
  /** Ends the stream for good, because the session has ended. */
  end(): void;
}

/** The open pages of one workspace. */
export interface ChangeFeed {
  pages: Set<Page>;
  close(): void;
}

const pace: Pace = { firstMs: 250, mostMs: 5_000, growth: 1.5 };

/** Opens the feed of a workspace. It begins with what happens from now on. */
export async function openChangeFeed(ctx: Context): Promise<ChangeFeed> {
  const pages = new Set<Page>();
  let position = await findPosition(ctx);
  const warn = (error: unknown) => ctx.log.warn({ err: error }, 'open pages were not told of changes');
  const look = async () => {
    const read = await readChanges(ctx, position);
    position = read.position;
    const { changes, more } = read;
    if (changes.length > 0) for (const page of pages) page.send({ changes, more });
  };
  const checkSessions = async () => {
    const holders = [...pages].map((page) => ({ id: page.sessionId, inboxIds: null, page }));
    for (const { page } of (await findEnded(ctx, holders)).keys()) page.end();
  };
  const follow = async (what: 'control' | 'approvals', read: (of: Context) => Promise<string>) => {
    let version = await read(ctx);
    return async () => {
      const now = await read(ctx);
      if (now === version) return;
      version = now;
      for (const page of pages) page.tell(what);
    };
  };
  const paced = (work: () => Promise<void>) => paceWork(() => work().catch(warn), pace);
  const looking = paced(look);
  const checking = paced(checkSessions);
  const controls = paced(await follow('control', readControlVersion));
  const approvals = paced(await follow('approvals', readApprovalsVersion));
  const stops = [
    ctx.wakeups.listen(ctx.workspaceId, looking.ask, 'log'),
    ctx.wakeups.listen(ctx.workspaceId, checking.ask, 'keys'),
    ctx.wakeups.listen(ctx.workspaceId, controls.ask, 'control'),
    ctx.wakeups.listen('', controls.ask, 'control'),
    ctx.wakeups.listen(ctx.workspaceId, approvals.ask),
  ];
  const all = [looking, checking, controls, approvals];
  const again = setInterval(() => {
    for (const work of all) work.ask();
  }, ctx.lookAgainMs);
  again.unref();
  return {
    pages,
    close: () => {
      clearInterval(again);
      for (const stop of stops) stop();
      for (const work of all) work.stop();
    },
  };
}
