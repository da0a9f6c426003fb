/** The size of a result without its items: the notice, the cursor, and the names of its fields. */
const roomForRest = 1_000;

/** The characters that an answer may still have. */
export class Budget {
  #left: number;
  #count = 0;

  /** `beside` is what else the answer has. */
  constructor(max: number, beside: unknown = '') {
    this.#left = max - roomForRest - JSON.stringify(beside).length;
  }

  /** How many characters a text may have. */
  get left(): number {
    return Math.max(0, this.#left);
  }

  /** Returns whether an item fits, and counts it. The first one always does. */
  take(item: unknown): boolean {
    const length = JSON.stringify(item).length;
    if (this.#count > 0 && length > this.#left) return false;
    this.#count += 1;
    this.#left -= length;
    return true;
  }
}
