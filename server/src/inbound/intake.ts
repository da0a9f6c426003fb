import type { Deps } from '../deps.ts';
import type { Release } from '../lib/admission/slots.ts';
import { directMailsMax } from './limits.ts';
import { Backlog } from './spool/backlog.ts';
import { startSpoolRecovery } from './spool/recover-spooled.ts';
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
  readonly #decisions: ReturnType<typeof openDecisionLog>;
  readonly #stopRecovery: () => Promise<void>;
  #direct = 0;

  constructor(deps: Deps) {
    this.deps = deps;
    this.#decisions = openDecisionLog(deps);
    this.note = createVerdictNotes(deps, this.#decisions);
    this.backlog = new Backlog(deps, this.note);
    this.spool = createSpool(deps);
    this.#stopRecovery = startSpoolRecovery(deps, this.backlog);
  }

  /** Whether mail arrives faster than it is filed. */
  get isBehind(): boolean {
    return this.backlog.busy || this.#direct >= directMailsMax;
  }

  /** Counts a mail that is stored directly, until it is released. */
  holdDirect(): Release {
    this.#direct += 1;
    return () => {
      this.#direct -= 1;
    };
  }

  /** Finishes what it can within `graceMs`. The next start finds acknowledged mail that is left. */
  async close(graceMs: number): Promise<void> {
    // The recovery may be waiting for room.
    await Promise.all([this.#stopRecovery(), this.backlog.close(graceMs)]);
    await this.#decisions.close();
  }
}
