/** While mail comes, filing rests four times as long as it worked, so that acknowledging has most of the machine. */
const restShare = 4;
const restMsMax = 500;
/** Once a mail has waited for this long, filing does not rest: its reader comes before senders that are yet to come. */
export const overdueMs = 3_000;
/** Without a mail for this long, filing has the machine to itself. */
const quietMs = 100;
const lookMs = 20;

/** A round of filing: how long it took, and for how long the oldest mail has waited that is still to be filed. */
interface Round {
  busyMs: number;
  oldestMs: number;
}

/** How long filing rests after a round, in milliseconds. */
export const restMsAfter = ({ busyMs, oldestMs }: Round): number =>
  oldestMs > overdueMs ? 0 : Math.min(restMsMax, busyMs * restShare);

/** Takes note of what comes, and says when filing rests. */
export class FilingPace {
  #lastArrival = Number.NEGATIVE_INFINITY;
  /** When the round began that goes on now. */
  #begun: number | null = null;
  #resting = false;

  get resting(): boolean {
    return this.#resting;
  }

  /** Whether no mail came lately. */
  get quiet(): boolean {
    return performance.now() - this.#lastArrival > quietMs;
  }

  noteArrival(): void {
    this.#lastArrival = performance.now();
  }

  /** Mail is about to be read or stored, which begins a round where none goes on. */
  noteWork(): void {
    this.#begun ??= performance.now();
  }

  /** Begins the rest after a batch, if there is one; `goOn` is called at its end, which comes early when no more mail comes. */
  endRound(oldestMs: number, goOn: () => void): void {
    // Of several batches at once, the first that ended began the rest.
    if (this.#resting) return;
    const now = performance.now();
    const busyMs = now - (this.#begun ?? now);
    const restMs = restMsAfter({ busyMs, oldestMs });
    this.#begun = null;
    if (restMs === 0 || this.quiet) return;
    const until = now + restMs;
    this.#resting = true;
    const rest = setInterval(() => {
      if (performance.now() < until && !this.quiet) return;
      clearInterval(rest);
      this.#resting = false;
      goOn();
    }, lookMs);
  }
}
