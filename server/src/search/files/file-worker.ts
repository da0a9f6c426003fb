import type { Deps } from '../../deps.ts';
import { startLoop } from '../../lib/concurrency/worker-loop.ts';
import { claimFiles, releaseFiles } from './claim-files.ts';
import { countPending } from './count-files.ts';
import { FileReader } from './file-reader.ts';
import { readClaimed } from './read-claimed.ts';

/** How long a file may wait if its wake-up is lost. */
const lookAgainMs = 1_000;
const countEveryMs = 15_000;

/**
 * Reads the texts of queued files, one file at a time. Any number of processes may run it. Returns a function that stops it; a file that is
 * being read is then left to the next start.
 */
export function startFileWorker(deps: Deps): () => Promise<void> {
  const reader = new FileReader();
  let isStarting = true;
  let after = '';
  let countedAt = Number.NEGATIVE_INFINITY;
  const loop = startLoop({
    look: async (stopped) => {
      if (isStarting && deps.database.kind === 'embedded') await releaseFiles(deps);
      isStarting = false;
      if (performance.now() - countedAt > countEveryMs) {
        countedAt = performance.now();
        deps.metrics.filesPending.set(await countPending(deps));
      }
      const message = await claimFiles(deps, after);
      after = message?.workspace_id ?? '';
      if (!message) return deps.timeScale.scaleMs(lookAgainMs);
      await readClaimed(deps, reader, message, stopped);
      deps.wakeups.wake(message.workspace_id);
      return 0;
    },
    onError: (error) => deps.log.error({ err: error }, 'files were not read for the search'),
    retryMs: lookAgainMs,
  });
  const unlisten = deps.wakeups.listenToAll(loop.wake, 'files');
  return async () => {
    unlisten();
    const stopped = loop.stop();
    reader.close();
    await stopped;
  };
}
