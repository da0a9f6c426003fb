import Denque from 'denque';

/**
 * Items that wait, each on somebody's behalf. Who has items waiting gets one turn after another, so that whoever brings thousands
 * holds up the first item of nobody else; the items of one leave in their order.
 */
export class TurnQueue<T> {
  /** Whose turn it is stands first. */
  readonly #byOwner = new Map<string, Denque<T>>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(owner: string, item: T): void {
    const queue = this.#byOwner.get(owner);
    if (queue) queue.push(item);
    else this.#byOwner.set(owner, new Denque([item]));
    this.#length += 1;
  }

  /** What `shift` would give. */
  peek(): T | undefined {
    for (const queue of this.#byOwner.values()) return queue.peekFront();
    return undefined;
  }

  /** Takes the next item of whose turn it is, among those that may have one. */
  shift(mayHaveTurn: (owner: string) => boolean = () => true): T | undefined {
    for (const [owner, queue] of this.#byOwner) {
      if (!mayHaveTurn(owner)) continue;
      const item = queue.shift();
      this.#byOwner.delete(owner);
      if (queue.length > 0) this.#byOwner.set(owner, queue);
      this.#length -= 1;
      return item;
    }
    return undefined;
  }

  /** Takes out an item that waits no longer. */
  remove(owner: string, item: T): void {
    const queue = this.#byOwner.get(owner);
    const index = queue?.toArray().indexOf(item) ?? -1;
    if (!queue || index < 0) return;
    queue.removeOne(index);
    if (queue.length === 0) this.#byOwner.delete(owner);
    this.#length -= 1;
  }
}
