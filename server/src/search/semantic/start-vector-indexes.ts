import type { Deps } from '../../deps.ts';
import { nothingDue, startLoop } from '../../lib/concurrency/worker-loop.ts';
import { createLeadership } from '../index/lead.ts';
import { keepVectorIndexes, loadExtension } from './keep-vector-indexes.ts';
import { findExtension } from './vector-indexes.ts';
import { spaceOf } from './vector-space.ts';

const lookAgainMs = 60_000;
const periodMs = 1_000;

/**
 * Keeps the indexes of nearest codes, if the database has pgvector and the settings want them. Without it, search by meaning compares all
 * codes. Every process with the role calls it, and one at a time does the work. Returns a function that stops it.
 */
export function startVectorIndexes(deps: Deps): () => Promise<void> {
  const { config, embedding, log } = deps;
  const isWanted = config.embeddingsIndex === 'auto' && embedding !== null;
  const space = isWanted ? spaceOf(embedding) : null;
  const leadership = createLeadership(deps, 'vector-indexes');
  let isLoaded = !isWanted;
  const loop = startLoop({
    look: async (stopped) => {
      if ((await leadership.hold()) === null) return nothingDue;
      if (!isLoaded) {
        isLoaded = true;
        await load(deps);
      }
      return (await keepVectorIndexes(deps, space, stopped)) ? 0 : nothingDue;
    },
    onError: (error) => {
      if (!deps.stopping.aborted) log.error({ err: error }, 'an index of nearest codes was not made');
    },
    lookAgainMs,
    periodMs: () => periodMs,
  });
  return async () => {
    await loop.stop();
    await leadership.leave();
  };
}

async function load(deps: Deps): Promise<void> {
  const problem = await loadExtension(deps);
  const extension = await findExtension(deps);
  if (extension) deps.log.debug({ version: extension.version }, 'the database has pgvector');
  else deps.log.debug({ err: problem }, 'the database has no pgvector: search by meaning compares all codes');
}
