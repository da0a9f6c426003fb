/*
 * The order of the event log. Writers insert rows without a position, because a position taken inside a transaction becomes
 * visible only with its commit: a reader would pass by the smaller position of a slower writer. Positions are given after
 * commit, in batches, by whoever holds the sequencer's lock until its own commit. So a batch is visible as a whole, and after
 * every batch before it, and a reader that goes on from the last position it saw misses nothing.
 */
import { sql } from 'kysely';
import { prepared } from '../db/prepared.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { wait } from '../lib/concurrency/wait.ts';

const batchRows = 1_000;
/** How long an event can stay without a position when its wake-up is lost. */
const lookAgainMs = 1_000;
/** Where events come without a pause, so much time lies between the starts of two batches: few of them cost less than many. */
const restMs = 25;
/** Without a reason of its own each wake-up would make an error with its stack. */
const wokenUp = 'woken up';

/** How many events were given their positions, and whose they are. */
export interface Ordered {
  ordered: number;
  workspaces: string[];
}

/** Gives the next events their positions; none also while another process does it. */
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
 * Orders events as they come and wakes whoever follows the log, in every process that runs it, of which one at a time does the
 * work; answers what stops it.
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
