/*
 * Scheduled drafts. A worker sleeps until the next one is due, or until one is scheduled, and takes what is due in the order of
 * time, each by one process. That it takes a draft moves `due_at` on, so that another tries if it dies; that the draft goes out
 * once does not rest on this but on the transaction of the send, which takes the draft as it was read or fails.
 */
import type { Plan } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { wait } from '../lib/concurrency/wait.ts';
import { type DueDraft, longestRetryMs, sendDue } from './send-due.ts';

/** What is woken when a draft is scheduled; no workspace has such an id. */
const topic = 'drafts';
const lookAgainMs = 1_000;
const restMsMin = 20;
/** Longer than it takes to make a message of a draft; who is slower finds the draft taken, and has sent nothing. */
const takenMs = 10_000;
/** How many drafts become messages at once. */
export const draftPlaces = {
  /** More would only wait for the one connection of the embedded database, and make others wait for it. */
  atOnceMax: { postgres: 10, embedded: 2 },
  /** Which share of the places one workspace may have taken when it takes another. */
  workspaceShare: 0.5,
};
/** Without a reason of its own each wake-up would make an error with its stack. */
const wokenUp = 'woken up';

/** Has the workers look for drafts that are due: call after a commit that scheduled one. */
export const draftsAreDue = (ctx: Pick<Context, 'wakeups'>): void => ctx.wakeups.wake(topic);

/**
 * Sends drafts at their time; those whose time passed while no worker ran go at once. Any number of processes may run one. The
 * answered function ends it, and waits for drafts that are being made into messages.
 */
export const startDraftScheduler = (deps: Deps): ((graceMs: number) => Promise<void>) => {
  const preparedAtOnceMax = draftPlaces.atOnceMax[deps.database.kind];
  const stop = new AbortController();
  let woken = new AbortController();
  const unlisten = deps.wakeups.listen(topic, () => woken.abort(wokenUp));
  const preparing = new Map<Promise<void>, string>();
  const isFull = () =>
    preparing.size === preparedAtOnceMax || fullWorkspaces(preparing.values(), preparedAtOnceMax).length > 0;
  const prepare = (draft: DueDraft) => {
    const { promise: stored, resolve } = Promise.withResolvers<void>();
    deps.background.run(sendDue(deps, draft, resolve).finally(resolve));
    const prepared = stored.then(() => {
      const wasFull = isFull();
      preparing.delete(prepared);
      if (wasFull) woken.abort(wokenUp);
    });
    preparing.set(prepared, draft.workspaceId);
  };
  const takeNext = async (): Promise<number> => {
    const full = fullWorkspaces(preparing.values(), preparedAtOnceMax);
    const due = await takeDue(deps, preparedAtOnceMax - preparing.size, full);
    for (const draft of due) prepare(draft);
    if (due.length > 0 && preparing.size < preparedAtOnceMax) return 0;
    return untilNextMs(deps);
  };
  const failed = (error: unknown): number => {
    deps.log.error({ err: error }, 'drafts that are due were not taken');
    return lookAgainMs;
  };
  const loop = async () => {
    await takeUpOverdue(deps).catch(failed);
    while (!stop.signal.aborted) {
      woken = new AbortController();
      const restMs = await takeNext().catch(failed);
      if (restMs > 0) await wait(restMs, AbortSignal.any([woken.signal, stop.signal]));
    }
  };
  const ended = loop();
  return async (graceMs) => {
    unlisten();
    stop.abort();
    await ended;
    await Promise.race([Promise.all(preparing.keys()), wait(graceMs)]);
  };
};

/** What a process that ended had taken is due again. Where one at work had it, two may try, of which one sends. */
const takeUpOverdue = async (deps: Deps): Promise<void> => {
  const now = deps.clock.now();
  await acrossWorkspaces(deps, 'drafts of all workspaces are overdue at the start')
    .updateTable('drafts')
    .set((of) => ({ due_at: of.ref('scheduled_at') }))
    .whereRef('due_at', '>', 'scheduled_at')
    .where('due_at', '<=', new Date(now.getTime() + longestRetryMs))
    .execute();
};

/** Workspaces that have their share of the places, given the workspace of each draft that is being prepared. */
const fullWorkspaces = (workspaceIds: Iterable<string>, places: number): string[] => {
  const taken = new Map<string, number>();
  for (const id of workspaceIds) taken.set(id, (taken.get(id) ?? 0) + 1);
  return [...taken].filter(([, count]) => count >= draftPlaces.workspaceShare * places).map(([id]) => id);
};

const takeDue = async (deps: Deps, limit: number, exceptOf: string[]): Promise<DueDraft[]> => {
  if (limit <= 0) return [];
  const now = deps.clock.now();
  const db = acrossWorkspaces(deps, 'drafts are due in all workspaces');
  const due = db
    .selectFrom('drafts as d')
    .innerJoin('inboxes as i', (on) =>
      on.onRef('i.workspace_id', '=', 'd.workspace_id').onRef('i.id', '=', 'd.inbox_id'),
    )
    .select(['d.workspace_id', 'd.id'])
    .where('d.due_at', '<=', now)
    .where('i.deleted_at', 'is', null)
    .where('d.workspace_id', '<>', sql<string>`all(${exceptOf}::text[])`)
    .orderBy('d.due_at')
    .limit(limit)
    .forUpdate('d')
    .skipLocked();
  const rows = await db
    .with('due', () => due)
    .updateTable('drafts')
    .from('due')
    .from('workspaces as w')
    .set({ due_at: deps.timeScale.after(now, takenMs), attempts: sql`attempts + 1` })
    .whereRef('drafts.workspace_id', '=', 'due.workspace_id')
    .whereRef('drafts.id', '=', 'due.id')
    .whereRef('w.id', '=', 'drafts.workspace_id')
    .returning(['drafts.workspace_id', 'drafts.id', 'version', 'attempts', 'w.plan', 'w.is_test'])
    .returning(['scheduled_at', 'api_key_id', 'request_id'])
    .execute();
  // An update has no order of its own.
  return rows
    .toSorted((a, b) => Number(a.scheduled_at) - Number(b.scheduled_at))
    .map((row) => ({
      id: row.id,
      version: row.version,
      attempts: row.attempts,
      workspaceId: row.workspace_id,
      plan: row.plan as Plan,
      isTest: row.is_test,
      apiKeyId: row.api_key_id,
      requestId: row.request_id,
    }));
};

/** How long nothing is due that is not due already; a draft that is scheduled meanwhile wakes who waits. */
const untilNextMs = async (deps: Deps): Promise<number> => {
  const now = deps.clock.now();
  const next = await acrossWorkspaces(deps, 'drafts are due in all workspaces')
    .selectFrom('drafts')
    .select('due_at')
    .where('due_at', '>', now)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  const leftMs = (next?.due_at?.getTime() ?? Number.POSITIVE_INFINITY) - now.getTime();
  return Math.max(restMsMin, Math.min(leftMs, deps.timeScale.scaleMs(lookAgainMs)));
};
