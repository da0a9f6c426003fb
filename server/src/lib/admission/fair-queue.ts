import Denque from 'denque';

interface Waiting<T> {
  item: T;
  cost: number;
}

interface Line<T> {
  items: Denque<Waiting<T>>;
  /** The number of turns that were saved for the first item, which costs more than one. */
  credit: number;
}

/**
 * Queues of several owners, served in turn (deficit round robin), so that an owner with thousands of items does not delay the first
 * item of another. An item of cost n takes n turns of its owner; the items of one owner keep their order.
 */
export class FairQueue<T> {
  /** The owner whose turn is next comes first. */
  readonly #byOwner = new Map<string, Line<T>>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get #isAlone(): boolean {
    return this.#byOwner.size === 1;
  }

  push(owner: string, item: T, cost = 1): void {
    const line = this.#byOwner.get(owner);
    if (line) line.items.push({ item, cost });
    else this.#byOwner.set(owner, { items: new Denque([{ item, cost }]), credit: 0 });
    this.#length += 1;
  }

  /** Returns the item that `shift` would take. */
  peek(mayHaveTurn: (owner: string) => boolean = () => true): T | undefined {
    return this.#next(mayHaveTurn)?.line.items.peekFront()?.item;
  }

  /** Returns the first item of an owner, even if it is not its turn. */
  firstOf(owner: string): T | undefined {
    return this.#byOwner.get(owner)?.items.peekFront()?.item;
  }

  /** Returns how many items of an owner wait. */
  lengthOf(owner: string): number {
    return this.#byOwner.get(owner)?.items.length ?? 0;
  }

  /** Takes the next item of the first owner that may have a turn. */
  shift(mayHaveTurn: (owner: string) => boolean = () => true): T | undefined {
    const next = this.#next(mayHaveTurn);
    const waiting = next?.line.items.shift();
    if (!next || !waiting) return undefined;
    const { owner, line } = next;
    this.#length -= 1;
    if (this.#isAlone && line.items.length > 0) {
      // An owner that is alone delays nobody, so it owes no turns.
      line.credit = 0;
      return waiting.item;
    }
    line.credit += 1 - waiting.cost;
    this.#byOwner.delete(owner);
    if (line.items.length > 0) this.#byOwner.set(owner, line);
    return waiting.item;
  }

  /** Removes an item that no longer waits. */
  remove(owner: string, item: T): void {
    const line = this.#byOwner.get(owner);
    const index = line?.items.toArray().findIndex((waiting) => waiting.item === item) ?? -1;
    if (!line || index < 0) return;
    line.items.removeOne(index);
    if (line.items.length === 0) this.#byOwner.delete(owner);
    this.#length -= 1;
  }

  /**
   * Returns the owner whose turn it is, with its line. An owner that saves its turn moves to the end, where the iteration reaches it again.
   */
  #next(mayHaveTurn: (owner: string) => boolean): { owner: string; line: Line<T> } | undefined {
    for (const [owner, line] of this.#byOwner) {
      if (!mayHaveTurn(owner)) continue;
      const cost = line.items.peekFront()?.cost ?? 0;
      if (this.#isAlone || line.credit + 1 >= cost) return { owner, line };
      line.credit += 1;
      this.#byOwner.delete(owner);
      this.#byOwner.set(owner, line);
    }
    return undefined;
  }
}
