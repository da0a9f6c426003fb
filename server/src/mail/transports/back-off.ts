/** The first wait after a failure, which doubles with each further one, and the longest, in milliseconds. */
export interface BackOffRules {
  firstMs: number;
  mostMs: number;
  nowMs(): number;
}

/**
 * Keeps callers away from a server that failed. After each wait, one caller may try it again, and the others keep away until that one has
 * reported the result.
 */
export class BackOff {
  readonly #rules: BackOffRules;
  #failures = 0;
  #untilMs = 0;
  #isProbing = false;

  constructor(rules: BackOffRules) {
    this.#rules = rules;
  }

  /** Whether the wait after the last failure is not over. */
  get mustWait(): boolean {
    return this.#failures > 0 && this.#rules.nowMs() < this.#untilMs;
  }

  /** Whether callers keep away now. */
  get isResting(): boolean {
    return this.#isProbing || this.mustWait;
  }

  /** Returns whether the caller may try now. It then has to call one of the methods that follow. */
  begin(): boolean {
    if (this.isResting) return false;
    this.#isProbing = this.#failures > 0;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#isProbing = false;
  }

  /** Failures of several callers at once count as one. */
  failed(): void {
    const { firstMs, mostMs, nowMs } = this.#rules;
    this.#isProbing = false;
    if (this.mustWait) return;
    this.#failures += 1;
    this.#untilMs = nowMs() + Math.min(mostMs, firstMs * 2 ** (this.#failures - 1));
  }

  /** For an attempt that says nothing about the server, because it was cancelled. */
  abandoned(): void {
    this.#isProbing = false;
  }
}
