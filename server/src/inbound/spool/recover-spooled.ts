import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { wait } from '../../lib/concurrency/wait.ts';
import type { Backlog } from './backlog.ts';

const lookAgainMs = 2_000;
/** By then the process that spooled a mail has filed it long ago. If two processes file it at once, they make one message, too. */
const strandedAfterMs = 120_000;
const pageMails = 100;

/**
 * Finds acknowledged mail that no process is filing: at the start everything that is there, and from then on what ended processes
 * left. Returns a function that stops it.
 */
export const startSpoolRecovery = (deps: Deps, backlog: Backlog): (() => Promise<void>) => {
  const stop = new AbortController();
  const loop = async () => {
    for (let afterMs = 0; !stop.signal.aborted; afterMs = strandedAfterMs) {
      const before = new Date(deps.clock.now().getTime() - afterMs);
      await recover(deps, backlog, before, stop.signal).catch((error: unknown) =>
        deps.log.error({ err: error }, 'the spool was not searched for stranded mail'),
      );
      await wait(lookAgainMs, stop.signal);
    }
  };
  const ended = loop();
  return async () => {
    stop.abort();
    await ended;
  };
};

const recover = async (deps: Deps, backlog: Backlog, before: Date, stopped: AbortSignal): Promise<void> => {
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
};
