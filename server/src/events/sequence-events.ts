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
import { wait } from '../lib/concurrency/wait.ts';

const batchRows = 1_000;
/** How long an event may stay without a position if its wake-up is lost. */
const lookAgainMs = 1_000;
/** The time between the starts of two batches while events arrive without a pause, since few large batches cost less than many. */
const restMs = 25;
/** A shared reason, without which each wake-up would create an error with its stack. */
const wokenUp = 'woken up';

/** The number of events that got positions, and their workspaces. */
export interface Ordered {
  ordered: number;
  workspaces: string[];
}

/** Assigns positions to the next events; to none while another process does so. */
export const sequenceEvents = async (deps: Pick<Deps, 'db'>): Promise<Ordered> => {
  const db = acrossWorkspaces(deps, 'one sequencer orders all workspaces');
  const [row] = await positionNext({ db }, {});
  return row ?? none;
};

const none: Ordered = { ordered: 0, workspaces: [] };

const positionNext = prepared((db) =>
  sql<Ordered>`select ordered, workspaces from order_events(${sql.lit(batchRows)})`.compile(db),
);

/**
 * Orders events as they arrive and wakes the followers of the log. Every process runs a sequencer, and one at a time does the work.
 * Returns a function that stops it.
 */
export const startSequencer = (deps: Deps): (() => Promise<void>) => {
  const stop = new AbortController();
  let woken = new AbortController();
  const unlisten = deps.wakeups.listenToAll(() => woken.abort(wokenUp));
  const loop = async () => {
    while (!stop.signal.aborted) {
      woken = new AbortController();
      const startedAt = performance.now();
      const { ordered, workspaces } = await sequenceEvents(deps).catch((error: unknown) => {
        deps.log.error({ err: error }, 'events were not ordered');
        return none;
      });
      for (const workspaceId of workspaces) deps.wakeups.wake(workspaceId, 'log');
      if (ordered === batchRows) continue;
      await wait(lookAgainMs, AbortSignal.any([woken.signal, stop.signal]));
      await wait(Math.max(0, startedAt + restMs - performance.now()), stop.signal);
    }
  };
  const ended = loop();
  return async () => {
    unlisten();
    stop.abort();
    await ended;
  };
};
