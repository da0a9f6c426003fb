/*
 * The order of the event log. Writers insert rows without a position, because a position taken inside a transaction becomes
 * visible only with its commit: a reader would pass by the smaller position of a slower writer. Positions are given after
 * commit, in batches, by whoever holds the sequencer's lock until its own commit. So a batch is visible as a whole, and after
 * every batch before it, and a reader that goes on from the last position it saw misses nothing.
 */
import { sql } from 'kysely';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { wait } from '../lib/wait.ts';

const batchRows = 1_000;
/** How long an event can stay without a position when its wake-up is lost. */
const lookAgainMs = 1_000;
/** Any number, the same in every process. */
const sequencerLock = 4_400_2526;

/** Gives the next events their positions, and answers how many; 0 also while another process does it. */
export const sequenceEvents = (deps: Pick<Deps, 'db'>): Promise<number> =>
  acrossWorkspaces(deps, 'one sequencer orders all workspaces')
    .transaction()
    .execute(async (tx) => {
      const lock = await sql<{
        mine: boolean;
      }>`select pg_try_advisory_xact_lock(${sequencerLock}) as mine`.execute(tx);
      if (!lock.rows[0]?.mine) return 0;
      const { numAffectedRows } = await sql`
        update events e set position = next.position
        from (
          select workspace_id, id, nextval('event_positions') as position
          from (select workspace_id, id from events where position is null order by insertion limit ${batchRows}) unordered
        ) next
        where e.workspace_id = next.workspace_id and e.id = next.id`.execute(tx);
      return Number(numAffectedRows ?? 0n);
    });

/** Orders events as they come, in every process that runs it, of which one at a time does the work; answers what stops it. */
export const startSequencer = (deps: Deps): (() => Promise<void>) => {
  const stop = new AbortController();
  let woken = new AbortController();
  const unlisten = deps.wakeups.listenToAll(() => woken.abort());
  const loop = async () => {
    while (!stop.signal.aborted) {
      woken = new AbortController();
      const ordered = await sequenceEvents(deps).catch((error: unknown) => {
        deps.log.error({ err: error }, 'events were not ordered');
        return 0;
      });
      if (ordered < batchRows) await wait(lookAgainMs, AbortSignal.any([woken.signal, stop.signal]));
    }
  };
  const ended = loop();
  return async () => {
    unlisten();
    stop.abort();
    await ended;
  };
};
