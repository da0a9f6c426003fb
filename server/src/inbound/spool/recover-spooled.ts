import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { nothingDue, startLoop } from '../../lib/concurrency/worker-loop.ts';
import { strandedLimits } from '../limits.ts';
import type { Backlog } from './backlog.ts';

const { lookAgainMs, afterMs: strandedAfterMs, pageMails } = strandedLimits;

/**
 * Finds acknowledged mail that no process is filing: at the start everything that is there, and from then on what ended processes
 * left. Returns a function that stops it.
 */
export function startSpoolRecovery(deps: Deps, backlog: Backlog): () => Promise<void> {
  let afterMs = 0;
  const { stop } = startLoop({
    look: async (stopped) => {
      const before = new Date(deps.clock.now().getTime() - afterMs);
      await recover(deps, backlog, before, stopped);
      afterMs = strandedAfterMs;
      return nothingDue;
    },
    onError: (error) => deps.log.error({ err: error }, 'the spool was not searched for stranded mail'),
    lookAgainMs,
  });
  return stop;
}

async function recover(deps: Deps, backlog: Backlog, before: Date, stopped: AbortSignal): Promise<void> {
  for (let last = ''; !stopped.aborted; ) {
    const page = await acrossWorkspaces(deps, 'a mail may be for several workspaces')
      .selectFrom('spooled_mail')
      .selectAll()
      .where('at', '<=', before)
      .where('id', '>', last)
      .orderBy('id')
      .limit(pageMails)
      .execute();
    for (const envelope of page) {
      await backlog.room();
      backlog.add(envelope, null);
    }
    if (page.length < pageMails) return;
    last = page.at(-1)?.id ?? '';
  }
}
