import { restMsAfter } from '../../lib/admission/slots.ts';
import { filingPaceLimits } from '../limits.ts';

const { rest: restLimits, overdueMs, lookMs } = filingPaceLimits;

/** A round of filing: how long it took, and how long the oldest mail that is left has waited. */
interface Round {
  busyMs: number;
  oldestMs: number;
}

/** Returns how long filing rests after a round, in milliseconds. */
export function filingRestMs({ busyMs, oldestMs }: Round): number {
  return oldestMs > overdueMs ? 0 : restMsAfter(busyMs, restLimits);
}

/** Notes work, and decides when filing rests. */
export class FilingPace {
  /** The time at which the current round began. */
  #begun: number | null = null;
  #resting = false;

  get resting(): boolean {
    return this.#resting;
  }

  /** Notes that mail is about to be read or stored, which begins a round unless one is under way. */
  noteWork(): void {
    this.#begun ??= performance.now();
  }

  /** Ends the round and begins its rest, if it has one. `goOn` is called when the rest ends, which is early once no mail arrives. */
  endRound(oldestMs: number, isQuiet: () => boolean, goOn: () => void): void {
    // With several batches at once, the first one that ends begins the rest period.
    if (this.#resting) return;
    const now = performance.now();
    const busyMs = now - (this.#begun ?? now);
    const restMs = filingRestMs({ busyMs, oldestMs });
    this.#begun = null;
    if (restMs === 0 || isQuiet()) return;
    const until = now + restMs;
    this.#resting = true;
    const rest = setInterval(() => {
      if (performance.now() < until && !isQuiet()) return;
      clearInterval(rest);
      this.#resting = false;
      goOn();
    }, lookMs);
  }
}
