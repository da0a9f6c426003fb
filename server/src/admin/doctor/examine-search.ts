import type { Database } from '../../db/database.ts';
import { systemClock } from '../../lib/clock.ts';
import { readProgress } from '../../search/index.ts';
import { type Finding, note, ok, problem } from './finding.ts';

const lagSecondsMax = 60;

/** Examines whether mail is indexed for search in time. */
export async function examineSearch({ db }: Pick<Database, 'db'>): Promise<Finding[]> {
  const { pending, lag_seconds: lag, backfill } = await readProgress({ db, clock: systemClock });
  if (lag > lagSecondsMax)
    return [
      problem(
        'search',
        `${pending} messages wait to be indexed, the oldest for ${Math.round(lag)} s. They are not found yet.`,
        'Run a process with the role worker.',
      ),
    ];
  const old = backfill.messages;
  if (old > 0)
    return [
      note(
        'search',
        `${old} messages from before the index are still to be indexed. The command \`search status\` shows the progress.`,
      ),
    ];
  return [ok('search', 'all mail is indexed')];
}
