import { sql } from 'kysely';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { jobNames } from '../jobs/job-names.ts';
import type { JobDefinition } from '../jobs/queue.ts';

/** Reaches back over a pause of the job. What was counted before stays as it is until it no longer counts. */
const reachesBackMs = 3_600_000;

/**
 * Adds up what was counted for caps of an hour and a day, every minute. A send only ever inserts its count, because with one row for
 * each workspace its sends would wait for each other.
 */
export function addUpSendCounts(deps: Deps): JobDefinition<object> {
  return {
    name: jobNames.addUpSendCounts,
    cron: '* * * * *',
    run: async () => {
      const since = deps.timeScale.before(deps.clock.now(), reachesBackMs);
      await sql`select add_up_counts(${since})`.execute(acrossWorkspaces(deps, 'policies of all workspaces'));
    },
  };
}
