import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { type LeaseLength, leaseEnd } from '../lib/clock.ts';
import { nothingDue, startLoop } from '../lib/concurrency/worker-loop.ts';
import { type Deleted, purgeWorkspace } from './purge-workspace.ts';

/** Longer than one batch takes, such as 1,000 messages with their rows, or as many files in a bucket. */
const lease: LeaseLength = { ms: 120_000, leastMs: 3_000 };
/** Longer than a request takes, and than rows wait that are written behind it. */
const settledAfterMs = 60_000;

/**
 * Removes the data of deleted workspaces, one after another, and continues where a process ended. Any number of processes can do this; each
 * workspace is claimed by one. Returns a function that stops it.
 */
export function startDeletedWatch(deps: Deps): () => Promise<void> {
  const loop = startLoop({
    look: async (stopped) => {
      for (let next = await claim(deps); next; next = stopped.aborted ? null : await claim(deps))
        await purge(deps, next, stopped);
      return untilNextMs(deps);
    },
    onError: (error) => deps.log.error({ err: error }, 'a deleted workspace was not removed'),
    lookAgainMs: deps.lookAgainMs,
  });
  const unlisten = deps.wakeups.listenToAll(loop.wake, 'control');
  return () => {
    unlisten();
    return loop.stop();
  };
}

function deletedOnes(deps: Pick<Deps, 'db'>) {
  return acrossWorkspaces(deps, 'workspaces that were deleted');
}

async function claim(deps: Deps): Promise<Deleted | null> {
  const now = deps.clock.now();
  const row = await deletedOnes(deps)
    .updateTable('workspaces')
    .set({ purge_at: leaseEnd(deps, lease, now) })
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('workspaces')
        .select('id')
        .where('purge_at', '<=', now)
        .orderBy('purge_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id as workspaceId', 'deleted_at as deletedAt'])
    .executeTakeFirst();
  return row?.deletedAt ? { workspaceId: row.workspaceId, deletedAt: row.deletedAt } : null;
}

/**
 * Makes one pass over a workspace. The last pass begins when no request from before the deletion can add anything any more. A server that
 * stops gives up its lease.
 */
async function purge(deps: Deps, deleted: Deleted, stopped: AbortSignal): Promise<void> {
  const { workspaceId, deletedAt } = deleted;
  const settledAt = deps.timeScale.after(deletedAt, settledAfterMs);
  const isLast = settledAt <= deps.clock.now();
  try {
    await purgeWorkspace(deps, deleted, async () => {
      stopped.throwIfAborted();
      await setNext(deps, workspaceId, leaseEnd(deps, lease, deps.clock.now()));
    });
  } catch (error) {
    if (!stopped.aborted) throw error;
    return setNext(deps, workspaceId, deps.clock.now());
  }
  // Nothing is left that could be sent.
  if (isLast) await scoped({ db: deps.db, workspaceId }).deleteFrom('pauses').execute();
  await setNext(deps, workspaceId, isLast ? null : settledAt);
}

/** Sets when the next pass is due, or the end of the lease; null if nothing is left. */
async function setNext(deps: Deps, workspaceId: string, at: Date | null): Promise<void> {
  const workspaces = deletedOnes(deps).updateTable('workspaces');
  await workspaces.set({ purge_at: at }).where('id', '=', workspaceId).execute();
}

async function untilNextMs(deps: Deps): Promise<number> {
  const { at } = await deletedOnes(deps)
    .selectFrom('workspaces')
    .select(({ fn }) => fn.min('purge_at').as('at'))
    .executeTakeFirstOrThrow();
  return at === null ? nothingDue : Math.max(0, at.getTime() - deps.clock.now().getTime());
}
