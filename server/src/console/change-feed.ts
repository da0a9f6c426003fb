/*
 * Tells the open pages of a workspace about changes. All pages share one read of the log, and each then reads what the changes concern.
 * So they are told less often the longer events arrive without a pause, and the more of them are open: however much mail there is, they
 * take no more than their part from the API. A page that needs every event follows the realtime socket instead.
 */

import type { Changes } from '@postrider/contract/console';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { acrossWorkspaces, type RowsContext, scoped } from '../db/scoped.ts';
import { findEnded } from '../keys/authenticate.ts';

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

const pace = { firstMs: 250, mostMs: 5_000, growth: 1.5 };
/** The least rest for each open page. In it the API serves the lists of some twenty pages, if it does nothing else. */
const pageMs = 60;

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
  const slowed = () => ({ ...pace, firstMs: Math.max(pace.firstMs, pages.size * pageMs) });
  const paced = (work: () => Promise<void>) => paceWork(() => work().catch(warn), slowed);
  const looking = paced(look);
  const checking = paceWork(
    () => checkSessions().catch(warn),
    () => pace,
  );
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

const listedMax = 50;

/** Changes of the log, and the position up to which it was read. */
interface ReadChanges extends Changes {
  position: number;
}

/** Returns the newest position of the workspace's log; 0 while it is empty. */
async function findPosition(ctx: RowsContext): Promise<number> {
  const row = await scoped(ctx)
    .selectFrom('events')
    .select('position')
    .where('position', 'is not', null)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.position ?? 0;
}

/** Returns what happened after a position, oldest first: the newest 50 at most, however much there is. */
async function readChanges(ctx: RowsContext, after: number): Promise<ReadChanges> {
  const rows = await scoped(ctx)
    .selectFrom('events')
    .select(['id', 'event', 'inbox_id', 'thread_id', 'message_id', 'created_at', 'position'])
    .where('position', '>', after)
    .orderBy('position', 'desc')
    .limit(listedMax + 1)
    .execute();
  const changes = rows
    .slice(0, listedMax)
    .reverse()
    .map(({ position: _, created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() }));
  return { changes, more: rows.length > listedMax, position: rows[0]?.position ?? after };
}

/**
 * Returns a text that changes with everything that people set for what may be sent. The end of a pause changes only the number of pauses.
 */
async function readControlVersion(ctx: RowsContext): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select (select sending_version from instance) || '.' || (select sending_version from workspaces where id = ${ctx.workspaceId})
      || '.' || (select count(*) from pauses
      where workspace_id = ${ctx.workspaceId} or level = 'server') as version`.execute(
    acrossWorkspaces(ctx, 'a pause may be of the whole server'),
  );
  return rows[0]?.version ?? '';
}

/** Returns a text that changes whenever other messages wait for approval than before. */
async function readApprovalsVersion(ctx: RowsContext): Promise<string> {
  const held = await scoped(ctx)
    .selectFrom('approvals')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.min('message_id').as('oldest'),
      fn.max('message_id').as('newest'),
    ])
    .where('state', '=', 'held')
    .executeTakeFirstOrThrow();
  return [held.count, held.oldest, held.newest].join(' ');
}

/** How often work may be done. */
interface Pace {
  /** The least time between two runs at first. */
  firstMs: number;
  /** The most that it grows to while there is always more to do. */
  mostMs: number;
  /** How long it takes, after the last request, until the next run is immediate again. */
  growth: number;
}

/** Work that is asked for often and done at a pace. */
interface PacedWork {
  /** Schedules the work: now after a pause, otherwise when its turn comes. */
  ask(): void;
  stop(): void;
}

/**
 * Does work at once when it is asked for after a pause. While it is asked for again and again, the time between two runs grows by a
 * factor, so that a flood costs little and one event is seen at once. The pace is asked for before each run.
 */
export function paceWork(work: () => Promise<void>, paceNow: () => Pace): PacedWork {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let isAsked = false;
  let restMs = 0;
  let endedAt = Number.NEGATIVE_INFINITY;
  const run = async () => {
    timer = undefined;
    isAsked = false;
    isRunning = true;
    await work();
    isRunning = false;
    endedAt = performance.now();
    if (isAsked) schedule();
  };
  const schedule = () => {
    const { firstMs, mostMs, growth } = paceNow();
    const idleMs = performance.now() - endedAt;
    restMs = idleMs > 2 * restMs ? firstMs : Math.max(firstMs, Math.min(mostMs, restMs * growth));
    timer = setTimeout(() => void run(), Math.max(0, restMs - idleMs));
    timer.unref();
  };
  return {
    ask: () => {
      isAsked = true;
      if (!isRunning && timer === undefined) schedule();
    },
    stop: () => clearTimeout(timer),
  };
}
