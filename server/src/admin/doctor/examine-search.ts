import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { systemClock } from '../../lib/clock.ts';
import { readProgress } from '../../search/index/search-status.ts';
import { nearestStatus } from '../../search/semantic/embedding-status.ts';
import { type Finding, note, ok, problem } from './finding.ts';

const lagSecondsMax = 60;

/** Examines whether mail is indexed for search in time, and how messages are compared by meaning. */
export async function examineSearch(
  { db }: Pick<Database, 'db'>,
  { embeddings }: Pick<Config, 'embeddings'>,
): Promise<Finding[]> {
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
  return [ok('search', `all mail is indexed; ${await describeMeaning(db, embeddings.kind)}`)];
}

async function describeMeaning(db: Database['db'], kind: Config['embeddings']['kind']): Promise<string> {
  if (kind === 'off') return 'search by meaning is off';
  const { pgvector, indexed, building } = await nearestStatus({ db });
  if (pgvector === null) return 'search by meaning compares all messages: there is no pgvector';
  const built = building > 0 ? `, and ${building} more being built` : '';
  return `for search by meaning, large workspaces have an index of pgvector ${pgvector}: ${indexed} now${built}`;
}
