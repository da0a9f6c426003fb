import type { Config } from '../../config/config.ts';
import type { Database } from '../../db/database.ts';
import { findLack } from '../../embedding/open-local.ts';
import { systemClock } from '../../lib/clock.ts';
import { sayError } from '../../lib/start/start-error.ts';
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
        `${pending} messages are waiting to be indexed, the oldest for ${Math.round(lag)} s. Search does not find them yet.`,
        'Run a process with the role worker.',
      ),
    ];
  const old = backfill.messages;
  if (old > 0)
    return [
      note(
        'search',
        `${old} messages are older than the index and not indexed yet. The command \`search status\` shows the progress.`,
      ),
    ];
  return [ok('search', 'all mail is indexed')];
}

const part = 'embeddings';

/** Examines whether the packages are installed that the chosen model needs. Other providers need none. */
export async function examineEmbeddings(
  { embeddings }: Pick<Config, 'embeddings'>,
  find = findLack,
): Promise<Finding[]> {
  if (embeddings.kind !== 'model2vec' && embeddings.kind !== 'transformers') return [];
  const lack = await find(embeddings);
  if (!lack) return [ok(part, `everything that ${embeddings.kind} needs is installed`)];
  const { text, remedy, cause } = lack;
  return [problem(part, cause === undefined ? text : `${text} Cause: ${sayError(cause)}`, remedy)];
}
