/** The size of a result without its items: the notice, the cursor, and the names of its fields. */
const roomForRest = 1_000;

/** The number of characters that a result can still hold. */
export class Budget {
  #left: number;
  #count = 0;

  /** `beside` is the rest of the result. */
  constructor(max: number, beside: unknown = '') {
    this.#left = max - roomForRest - JSON.stringify(beside).length;
  }

  /** Returns the number of characters that a text can have. */
  get left(): number {
    return Math.max(0, this.#left);
  }

  /** Returns whether an item fits, and counts it. The first item always fits. */
  take(item: unknown): boolean {
    const length = JSON.stringify(item).length;
    if (this.#count > 0 && length > this.#left) return false;
    this.#count += 1;
    this.#left -= length;
    return true;
  }
}
