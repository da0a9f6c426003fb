/** Bytes that are to pass. */
export interface Portion {
  bytes: number;
  /** Portions of a lower order go first. */
  order: number;
  /** The longest time that they wait. */
  waitMsMax: number;
}

interface Waiter {
  bytes: number;
  order: number;
  untilMs: number;
  go(): void;
}

/** The largest debt, in seconds of the rate. Bytes that passed because their wait was over delay later ones by no more than this. */
const owedSecondsMax = 30;
/** Small, because bytes that pass at once are also handled at once. */
const savedSecondsMax = 0.2;

/** Lets bytes pass at a rate, those of the lowest order first. After a pause, the bytes of `savedSecondsMax` pass at once. */
export class ByteFlow {
  readonly bytesPerSecond: number;
  /** In bytes. Below zero it is a debt, which has to be paid off first. */
  #credit: number;
  #creditAtMs: number;
  #waiters: Waiter[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(bytesPerSecond: number) {
    this.bytesPerSecond = bytesPerSecond;
    this.#credit = savedSecondsMax * bytesPerSecond;
    this.#creditAtMs = performance.now();
  }

  /** Counts the bytes. Returns null if they may pass at once, or a promise that resolves when they may. */
  pass({ bytes, order, waitMsMax }: Portion): Promise<void> | null {
    this.#earn();
    const isFirst = this.#waiters.every((waiter) => order < waiter.order);
    if ((isFirst && this.#credit > 0) || waitMsMax <= 0) {
      this.#spend(bytes);
      return null;
    }
    return new Promise((resolve) => {
      const place = this.#waiters.findLastIndex((waiter) => waiter.order <= order) + 1;
      this.#waiters.splice(place, 0, { bytes, order, untilMs: performance.now() + waitMsMax, go: resolve });
      this.#lookAgain();
    });
  }

  #earn(): void {
    const now = performance.now();
    const earned = ((now - this.#creditAtMs) * this.bytesPerSecond) / 1_000;
    this.#credit = Math.min(savedSecondsMax * this.bytesPerSecond, this.#credit + earned);
    this.#creditAtMs = now;
  }

  #spend(bytes: number): void {
    this.#credit = Math.max(this.#credit - bytes, -owedSecondsMax * this.bytesPerSecond);
  }

  #release(): void {
    this.#earn();
    this.#waiters = this.#waiters.filter(({ bytes, untilMs, go }) => {
      if (this.#credit <= 0 && untilMs > performance.now()) return true;
      this.#spend(bytes);
      go();
      return false;
    });
    this.#lookAgain();
  }

  #lookAgain(): void {
    clearTimeout(this.#timer);
    if (this.#waiters.length === 0) return;
    const patienceMs = Math.min(...this.#waiters.map(({ untilMs }) => untilMs)) - performance.now();
    const earningMs = (Math.max(0, 1 - this.#credit) * 1_000) / this.bytesPerSecond;
    this.#timer = setTimeout(() => this.#release(), Math.ceil(Math.min(patienceMs, earningMs))).unref();
  }
}
