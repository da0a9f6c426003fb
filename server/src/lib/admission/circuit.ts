/*
 * A circuit keeps callers away from a failing service.
 *
 *   closed    Callers try. Enough failures in a row open it; failures of simultaneous callers count as one.
 *   open      Nobody tries until a wait is over, which doubles with each further failure.
 *   probing   The wait is over, and one caller tries. A success closes the circuit, and a failure opens it again. If the
 *             attempt is abandoned, which says nothing about the service, the next caller tries.
 */

/** The conditions for opening a circuit, and how long it stays open. */
export interface CircuitRules {
  /** The failures in a row that open it; by default the first one does. */
  failuresMax?: number;
  /** The first wait, in ms. */
  firstMs: number;
  /** The longest wait, in ms. */
  mostMs: number;
  nowMs?(): number;
}

/** The state of one service. */
export class Circuit {
  readonly #rules: Required<CircuitRules>;
  #failures = 0;
  #untilMs = 0;
  #isProbing = false;

  constructor(rules: CircuitRules) {
    this.#rules = { failuresMax: 1, nowMs: () => performance.now(), ...rules };
  }

  /** The time for which it stays open, in ms; 0 if it is not open. */
  get openMs(): number {
    return this.#isFailing ? Math.max(0, this.#untilMs - this.#rules.nowMs()) : 0;
  }

  /** Whether callers keep away now. */
  get isResting(): boolean {
    return this.#isProbing || this.openMs > 0;
  }

  get #isFailing(): boolean {
    return this.#failures >= this.#rules.failuresMax;
  }

  /** Returns whether the caller may try now. It then has to call one of the methods that follow. */
  begin(): boolean {
    if (this.isResting) return false;
    this.#isProbing = this.#isFailing;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#isProbing = false;
  }

  /**
   * Returns the time for which the circuit is now open. A failure that will not pass without intervention opens it for the longest time at
   * once.
   */
  failed(passes = true): number {
    const { failuresMax, firstMs, mostMs, nowMs } = this.#rules;
    this.#isProbing = false;
    if (this.openMs > 0) return this.openMs;
    this.#failures += 1;
    const waitMs = passes ? Math.min(mostMs, firstMs * 2 ** (this.#failures - failuresMax)) : mostMs;
    this.#untilMs = nowMs() + waitMs;
    return this.openMs;
  }

  abandoned(): void {
    this.#isProbing = false;
  }
}
