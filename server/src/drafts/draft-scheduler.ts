/*
 * Scheduled drafts. A worker sleeps until the next draft is due or until one is scheduled, and claims the due ones in the order of their
 * times. Each is claimed by one process. A claim moves `due_at` on, so that another process tries if this one dies. That a draft goes out
 * once does not depend on the claim: the transaction of the send takes the draft as it was read, or fails.
 */
import type { Plan } from '@postrider/contract';
import { sql } from 'kysely';
import { actorOf, type Context } from '../context.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { leaseEnd } from '../lib/clock.ts';
import { wait } from '../lib/concurrency/wait.ts';
import { nothingDue, startLoop } from '../lib/concurrency/worker-loop.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { type DueDraft, longestRetryMs, sendDue } from './send-due.ts';

/** Longer than it takes to make a message of a draft. A slower process finds that the draft was claimed again, and has sent nothing. */
const draftLease = { ms: 10_000, leastMs: 0 };
/** The number of drafts that become messages at once. */
export const draftPlaces = {
  atOnceMax: 10,
  /** The share of the places up to which one workspace gets more. */
  workspaceShare: 0.5,
};

/** Has the workers look for due drafts. Call it after the commit that scheduled one. */
export function draftsAreDue({ wakeups, workspaceId }: Pick<Context, 'wakeups' | 'workspaceId'>): void {
  wakeups.wake(workspaceId, 'drafts');
}

/**
 * Sends drafts at their time. Drafts whose time passed while no worker ran are sent at once. Any number of processes can run a scheduler.
 * Returns a function that stops it and waits for drafts that are being turned into messages.
 */
export function startDraftScheduler(deps: Deps): (graceMs: number) => Promise<void> {
  const places = draftPlaces.atOnceMax;
  const preparing = new Map<Promise<void>, string>();
  const isFull = () => preparing.size === places || fullWorkspaces(preparing.values(), places).length > 0;
  const prepare = (draft: DueDraft) => {
    const { promise: stored, resolve } = Promise.withResolvers<void>();
    const facts = { kind: 'internal', parent: null } as const;
    const sent = deps.tracing.trace('send draft', facts, () => sendDue(deps, draft, resolve));
    deps.background.run(sent.finally(resolve));
    const prepared = stored.then(() => {
      const wasFull = isFull();
      preparing.delete(prepared);
      if (wasFull) loop.wake();
    });
    preparing.set(prepared, draft.workspaceId);
  };
  let isStarting = true;
  const loop = startLoop({
    look: async () => {
      if (isStarting) await takeUpOverdue(deps);
      isStarting = false;
      const dueInMs = await untilNextMs(deps);
      if (dueInMs > 0) return dueInMs;
      const full = fullWorkspaces(preparing.values(), places);
      const due = await claimDue(deps, places - preparing.size, full);
      for (const draft of due) prepare(draft);
      return due.length > 0 && preparing.size < places ? 0 : untilNextMs(deps, deps.clock.now());
    },
    onError: (error) => deps.log.error({ err: error }, 'due drafts were not claimed'),
    lookAgainMs: deps.lookAgainMs,
  });
  const unlisten = deps.wakeups.listenToAll(loop.wake, 'drafts');
  return async (graceMs) => {
    unlisten();
    await loop.stop();
    await Promise.race([Promise.all(preparing.keys()), wait(graceMs)]);
  };
}

/** Makes the drafts that an ended process had claimed due again. If it still works on one, two may try, and one of them sends. */
async function takeUpOverdue(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  await acrossWorkspaces(deps, 'drafts of all workspaces are overdue at the start')
    .updateTable('drafts')
    .set((of) => ({ due_at: of.ref('scheduled_at') }))
    .whereRef('due_at', '>', 'scheduled_at')
    .where('due_at', '<=', new Date(now.getTime() + longestRetryMs))
    .execute();
}

/** Returns the workspaces that have their share of the places, given the workspace of each draft that is being prepared. */
function fullWorkspaces(workspaceIds: Iterable<string>, places: number): string[] {
  const taken = new Map<string, number>();
  for (const id of workspaceIds) taken.set(id, (taken.get(id) ?? 0) + 1);
  return [...taken].filter(([, count]) => count >= draftPlaces.workspaceShare * places).map(([id]) => id);
}

async function claimDue(deps: Deps, limit: number, exceptOf: string[]): Promise<DueDraft[]> {
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
    .set({ due_at: leaseEnd(deps, draftLease, now), attempts: sql`attempts + 1` })
    .whereRef('drafts.workspace_id', '=', 'due.workspace_id')
    .whereRef('drafts.id', '=', 'due.id')
    .whereRef('w.id', '=', 'drafts.workspace_id')
    .returning(['drafts.workspace_id', 'drafts.id', 'version', 'attempts', 'w.plan', 'w.is_test'])
    .returning(['scheduled_at', 'actor_id', 'request_id'])
    .execute();
  // An update returns its rows in no particular order.
  return rows
    .toSorted((a, b) => Number(a.scheduled_at) - Number(b.scheduled_at))
    .map((row) => ({
      id: row.id,
      version: row.version,
      attempts: row.attempts,
      workspaceId: row.workspace_id,
      plan: row.plan as Plan,
      isTest: row.is_test,
      // The transaction of the send looks at the scope that its key has by then.
      scope: wholeWorkspace,
      actor: actorOf(row.actor_id),
      requestId: row.request_id,
    }));
}

/**
 * Returns the time in ms until the next draft is due, or at most 0 if one is due now. With `after`, considers only drafts that are due
 * later, because others may have to wait. A draft that is scheduled meanwhile wakes the loop.
 */
async function untilNextMs(deps: Deps, after = new Date(0)): Promise<number> {
  const next = await acrossWorkspaces(deps, 'drafts are due in all workspaces')
    .selectFrom('drafts')
    .select('due_at')
    .where('due_at', '>', after)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return next?.due_at ? next.due_at.getTime() - deps.clock.now().getTime() : nothingDue;
}
