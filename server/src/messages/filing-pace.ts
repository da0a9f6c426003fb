/** How filing went since it last rested. */
export interface FilingRound {
  /** Mails made messages of, and how long that took, in milliseconds. */
  filed: number;
  busyMs: number;
  /** Mails acknowledged meanwhile and in the rest before it, and how long both took. */
  arrived: number;
  elapsedMs: number;
  /** Mails that wait, how many more may, and how long the oldest has. */
  waiting: number;
  room: number;
  oldestMs: number;
}

/** So few mails can wait for a moment only, however fast others come. */
const overloadMailsMin = 256;
/** From here on filing has as much of the machine as it wants, however much comes. */
const overloadAgeMsMax = 10_000;
const restAgeMsMax = 1_000;
/** With less room than this senders are about to wait until mail is filed. */
const roomMin = 3_000;
/** Filing that has the machine to itself is about so much faster than beside mail that is acknowledged. */
const fasterAlone = 2;
const restShare = 4;
const restMsMax = 500;
const quietMs = 100;
const lookMs = 20;

/**
 * How long filing rests so that mail can be acknowledged, in milliseconds: while mail comes, filing takes a fifth of the time,
 * unless a mail waits for a second. Where mail comes faster than it can be filed meanwhile it waits in any case: then its senders,
 * who hold it until they hear 250, come first for ten seconds, or until there is no more room for what they send.
 */
export const restMsAfter = (round: FilingRound): number => {
  const { filed, busyMs, arrived, elapsedMs, waiting, room, oldestMs } = round;
  const isOutpaced = fasterAlone * arrived * busyMs > filed * elapsedMs;
  const isOverload = waiting >= overloadMailsMin && isOutpaced;
  if (arrived === 0 || room < roomMin) return 0;
  if (oldestMs > (isOverload ? overloadAgeMsMax : restAgeMsMax)) return 0;
  return Math.min(restMsMax, busyMs * restShare);
};

/** Takes note of what comes and what is filed, and says when filing rests. */
export class FilingPace {
  #begun = performance.now();
  #arrived = 0;
  #lastArrival = Number.NEGATIVE_INFINITY;
  #restedMs = 0;
  #resting = false;
  #isFirst = false;

  /** Whether filing may take all of the machine: no mail comes, or what waits has waited for so long that it comes first. */
  get unhindered(): boolean {
    return this.#isFirst || this.quiet;
  }

  get resting(): boolean {
    return this.#resting;
  }

  /** Whether no mail came lately. */
  get quiet(): boolean {
    return performance.now() - this.#lastArrival > quietMs;
  }

  noteArrival(): void {
    this.#arrived += 1;
    this.#lastArrival = performance.now();
  }

  /** Ends a round in which so many were filed; `goOn` is called after the rest, which ends when no more mail comes. */
  endRound(round: Pick<FilingRound, 'filed' | 'waiting' | 'room' | 'oldestMs'>, goOn: () => void): void {
    // Of several batches at once, the first that ended began the rest.
    if (this.#resting) return;
    const now = performance.now();
    const busyMs = now - this.#begun;
    const restMs = restMsAfter({
      ...round,
      busyMs,
      arrived: this.#arrived,
      elapsedMs: busyMs + this.#restedMs,
    });
    this.#begun = now + restMs;
    this.#arrived = 0;
    this.#restedMs = restMs;
    this.#isFirst = restMs === 0;
    if (restMs === 0) return;
    this.#resting = true;
    const rest = setInterval(() => {
      if (performance.now() < this.#begun && !this.quiet) return;
      clearInterval(rest);
      this.#begun = Math.min(this.#begun, performance.now());
      this.#resting = false;
      goOn();
    }, lookMs);
  }
}
