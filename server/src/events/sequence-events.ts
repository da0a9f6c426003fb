/*
 * Orders the event log. Writers insert rows without a position, because a position taken inside a transaction becomes visible only with
 * its commit, and a reader would skip the smaller position of a slower writer. The process that holds the sequencer's lock assigns
 * positions after commit, in batches, and holds the lock until its own commit. So each batch becomes visible as a whole and after all
 * earlier ones, and a reader that continues after the last position it saw misses nothing.
 */
import { sql } from 'kysely';
import { prepared } from '../db/prepared.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { nothingDue, startLoop } from '../lib/concurrency/worker-loop.ts';

const batchRows = 1_000;
/** The time between the starts of two batches while events arrive without a pause, since few large batches cost less than many. */
const periodMs = 25;

/** The number of events that got positions, and their workspaces. */
export interface Ordered {
  ordered: number;
  workspaces: string[];
}

/** Assigns positions to the next events; to none while another process does so. */
export async function sequenceEvents(deps: Pick<Deps, 'db'>): Promise<Ordered> {
  const db = acrossWorkspaces(deps, 'one sequencer orders all workspaces');
  const [row] = await positionNext({ db }, {});
  return row ?? none;
}

const none: Ordered = { ordered: 0, workspaces: [] };

const positionNext = prepared((db) =>
  sql<Ordered>`select ordered, workspaces from order_events(${sql.lit(batchRows)})`.compile(db),
);

/**
 * Orders events as they arrive and wakes the followers of the log. Every process runs a sequencer, and one at a time does the work.
 * Returns a function that stops it.
 */
export function startSequencer(deps: Deps): () => Promise<void> {
  const loop = startLoop({
    look: async () => {
      const { ordered, workspaces } = await sequenceEvents(deps);
      for (const workspaceId of workspaces) deps.wakeups.wake(workspaceId, 'log');
      return ordered === batchRows ? 0 : nothingDue;
    },
    onError: (error) => deps.log.error({ err: error }, 'events were not ordered'),
    lookAgainMs: deps.lookAgainMs,
    periodMs: () => periodMs,
  });
  const unlisten = deps.wakeups.listenToAll(loop.wake);
  return () => {
    unlisten();
    return loop.stop();
  };
}
