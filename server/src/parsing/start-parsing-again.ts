import type { Deps } from '../deps.ts';
import { waitFor } from '../lib/concurrency/wait.ts';
import { nothingDue, startLoop } from '../lib/concurrency/worker-loop.ts';
import { claimNext, patienceMs, putBack, untilNextMs } from './claim-unparsed.ts';
import { parseAgain } from './parse-again.ts';

/**
 * Parses the messages whose mail could not be parsed in time, one after another. Any number of processes may run it. Returns a function
 * that stops it; a message that is being parsed is then due for other processes and the next start.
 */
export function startParsingAgain(deps: Deps): () => Promise<void> {
  let after = '';
  const look = async (stopped: AbortSignal): Promise<number> => {
    const dueInMs = await untilNextMs(deps);
    if (dueInMs > 0) return dueInMs;
    const claimed = await claimNext(deps, after);
    after = claimed?.workspace_id ?? '';
    if (!claimed) return nothingDue;
    const parsed = parseAgain(deps, claimed);
    await waitFor(parsed, 2 * patienceMs(deps), stopped);
    if (!stopped.aborted) return 0;
    parsed.catch(() => {});
    await putBack(deps, claimed, { isAttempt: false, isDueNow: true });
    return nothingDue;
  };
  const loop = startLoop({
    look,
    onError: (error) => deps.log.error({ err: error }, 'a mail was not parsed again'),
    lookAgainMs: deps.lookAgainMs,
  });
  const unlisten = deps.wakeups.listenToAll(loop.wake, 'unparsed');
  return async () => {
    unlisten();
    await loop.stop();
  };
}
