import Denque from 'denque';
import { createRecentMap } from '../recent-map.ts';

/** The time after which half of an owner's use is forgotten. */
export interface UseRules {
  halfLifeMs: number;
  nowMs?(): number;
}

const ownersMax = 10_000;

/**
 * Items of several owners that wait for one resource, which each holds for a while. The next item is of the owner that has used the
 * resource least lately, so that one that takes much, or asks often, delays the others by a single item. The items of one owner keep their
 * order.
 */
export class LeastUsedFirst<T> {
  readonly #rules: Required<UseRules>;
  readonly #waiting = new Map<string, Denque<T>>();
  readonly #used = createRecentMap<{ ms: number; atMs: number }>(ownersMax);

  constructor(rules: UseRules) {
    this.#rules = { nowMs: () => performance.now(), ...rules };
  }

  push(owner: string, item: T): void {
    const items = this.#waiting.get(owner);
    if (items) items.push(item);
    else this.#waiting.set(owner, new Denque([item]));
  }

  /** Takes the next item. */
  shift(): { owner: string; item: T } | undefined {
    let owner: string | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const waiting of this.#waiting.keys()) {
      const used = this.#usedBy(waiting);
      if (used >= least) continue;
      owner = waiting;
      least = used;
    }
    const items = owner === undefined ? undefined : this.#waiting.get(owner);
    const item = items?.shift();
    if (owner === undefined || item === undefined) return undefined;
    if (items?.length === 0) this.#waiting.delete(owner);
    return { owner, item };
  }

  /** Removes an item that no longer waits. */
  remove(owner: string, item: T): void {
    const items = this.#waiting.get(owner);
    const index = items?.toArray().indexOf(item) ?? -1;
    if (!items || index < 0) return;
    items.removeOne(index);
    if (items.length === 0) this.#waiting.delete(owner);
  }

  /** Records how long an owner had the resource. An owner with a share of 4 may have it four times as long as one with 1. */
  note(owner: string, tookMs: number, share = 1): void {
    const ms = this.#usedBy(owner) + tookMs / share;
    this.#used.set(owner, { ms, atMs: this.#rules.nowMs() });
  }

  #usedBy(owner: string): number {
    const used = this.#used.get(owner);
    return used ? used.ms * 0.5 ** ((this.#rules.nowMs() - used.atMs) / this.#rules.halfLifeMs) : 0;
  }
}
