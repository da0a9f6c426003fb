import type { Deps } from '../../deps.ts';
import { restMsAfter } from '../../lib/admission/slots.ts';
import { nothingDue, startLoop } from '../../lib/concurrency/worker-loop.ts';
import { claimFiles } from './claim-files.ts';
import { countPending } from './count-files.ts';
import { FileReader } from './file-reader.ts';
import { readClaimed } from './read-claimed.ts';

const countEveryMs = 30_000;
/** A message whose files took this long lets its workspace rest for a multiple of that, as long as others have files. */
const longMs = 1_000;
const rest = { share: 4, msMax: 60_000 };

/**
 * Reads the texts of queued files, one file at a time. Any number of processes may run it. Returns a function that stops it; a file that is
 * being read is then left to the next start.
 */
export function startFileWorker(deps: Deps): () => Promise<void> {
  const reader = new FileReader();
  const restUntil = new Map<string, number>();
  let after = '';
  let countedAt = Number.NEGATIVE_INFINITY;
  const look = async (stopped: AbortSignal): Promise<number> => {
    const startedAt = performance.now();
    if (startedAt - countedAt > countEveryMs) {
      countedAt = startedAt;
      deps.metrics.filesPending.set(await countPending(deps));
    }
    for (const [id, until] of restUntil) if (until <= startedAt) restUntil.delete(id);
    const message = await claimFiles(deps, after, [...restUntil.keys()]);
    after = message?.workspace_id ?? '';
    if (!message) return nothingDue;
    await readClaimed(deps, reader, message, stopped);
    const tookMs = performance.now() - startedAt;
    if (tookMs > longMs) restUntil.set(message.workspace_id, performance.now() + restMsAfter(tookMs, rest));
    deps.wakeups.wake(message.workspace_id);
    return 0;
  };
  const loop = startLoop({
    look,
    onError: (error) => deps.log.error({ err: error }, 'files were not read for the search'),
    lookAgainMs: deps.lookAgainMs,
  });
  const unlisten = deps.wakeups.listenToAll(loop.wake, 'files');
  return async () => {
    unlisten();
    const stopped = loop.stop();
    reader.close();
    await stopped;
  };
}
