import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { Slots } from '../lib/admission/slots.ts';
import { nothingDue, startLoop } from '../lib/concurrency/worker-loop.ts';
import { directMailsMax, strandedLimits } from './limits.ts';
import { Backlog } from './spool/backlog.ts';
import { createSpool, type SpoolMail } from './spool/spool-mail.ts';
import { createVerdictNotes, type NoteVerdict, openDecisionLog } from './verdicts.ts';

/**
 * The resources for mail of clients: the spool, the mail in it that is to be filed, and the log of verdicts. While mail arrives no faster
 * than it is filed, a mail can be read by the time of its 250. When it arrives faster, it is durable by then and can be read soon after.
 */
export class Intake {
  readonly deps: Deps;
  readonly note: NoteVerdict;
  readonly backlog: Backlog;
  readonly spool: SpoolMail;
  /** The mails that are being stored directly. */
  readonly direct = new Slots({ slots: directMailsMax, ofOwner: directMailsMax });
  readonly #decisions: ReturnType<typeof openDecisionLog>;
  readonly #stopRecovery: () => Promise<void>;

  constructor(deps: Deps) {
    this.deps = deps;
    this.#decisions = openDecisionLog(deps);
    this.note = createVerdictNotes(deps, this.#decisions);
    this.backlog = new Backlog(deps, this.note);
    this.spool = createSpool(deps);
    this.#stopRecovery = startSpoolRecovery(deps, this.backlog);
  }

  /** Finishes as much as possible within `graceMs`. The next start finds the remaining acknowledged mail. */
  async close(graceMs: number): Promise<void> {
    // The recovery may be waiting for room.
    await Promise.all([this.#stopRecovery(), this.backlog.close(graceMs)]);
    await this.#decisions.close();
  }
}

const { lookAgainMs, afterMs: strandedAfterMs, pageMails } = strandedLimits;

/**
 * Finds acknowledged mail that no process is filing: at the start everything that is there, and from then on what ended processes
 * left. Returns a function that stops it.
 */
function startSpoolRecovery(deps: Deps, backlog: Backlog): () => Promise<void> {
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
    const page = await acrossWorkspaces(deps, 'an email may be for several workspaces')
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
