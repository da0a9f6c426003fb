/*
 * Slots limit how much work runs at once, and owners take turns. A piece of work is in one of these states.
 *
 *   in line     It does not fit, or earlier work of its owner waits. Owners are served in turn.
 *   refused     Too much work of its owner waits, it has waited too long, or its caller has gone away. It never begins.
 *   running     It has its slots.
 *   resting     It is done, but counts for its owner for a while, so that others come first.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { FairQueue } from './fair-queue.ts';

/** The number of slots. The figures are read whenever work could begin. */
export interface SlotLimits {
  /** The slots of all owners. */
  slots: number;
  /** The slots of one owner. */
  ofOwner: number;
  /** The share of the slots that are free or its own that one owner may have; by default all of them. */
  shareOfFree?: number;
  /** The number of pieces of work that one owner can have in progress, however few slots they take. */
  piecesOfOwner?: number;
  /** How long work waits in line, in ms; by default as long as it takes. */
  waitMs?: number;
  /** The number of pieces of work of one owner that can wait; by default any number. */
  waitingOfOwner?: number;
  /** The time for which an owner's finished work still counts. */
  rest?: Rest;
}

/** The limits that differ from owner to owner, and how work is refused. */
interface SlotRules {
  /** The slots of an owner; by default `ofOwner`. */
  ofOwner?(owner: string): number;
  /** Whether work of an owner rests; by default all does. */
  rests?(owner: string): boolean;
  /** The error for work that is refused. */
  refusal?(): Error;
}

/** The waiting rules of one piece of work, in place of the limits. */
export interface Patience {
  waitMs: number;
  refusal(): Error;
  /** Aborted to end the wait. */
  ended?: AbortSignal;
}

/** Gives slots back. Further calls do nothing. */
export type Release = () => void;

type Wait = { [Key in keyof Patience]: Patience[Key] | undefined };

interface Waiter {
  slots: number;
  begin(): void;
}

const nothing = { slots: 0, pieces: 0 };
const anyNumber = Number.POSITIVE_INFINITY;

/** The slots of one kind of work in a process. */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #rules: SlotRules;
  readonly #owners = new Map<string, { slots: number; pieces: number }>();
  readonly #line = new FairQueue<Waiter>();
  #taken = 0;

  constructor(limits: SlotLimits, rules: SlotRules = {}) {
    this.#limits = limits;
    this.#rules = rules;
  }

  /** Runs work in its owner's turn. Rejects with the refusal if it is not begun. */
  async run<T>(owner: string, work: () => Promise<T>, patience?: Patience): Promise<T> {
    const release = await this.take(owner, 1, patience);
    const begunMs = performance.now();
    try {
      return await work();
    } finally {
      const { rest } = this.#limits;
      if (rest && (this.#rules.rests?.(owner) ?? true))
        void pause(restMsAfter(performance.now() - begunMs, rest)).then(this.linger(owner));
      release();
    }
  }

  /** Takes slots in the owner's turn; with none, waits until the owner can have more. Rejects with the refusal if they are not taken. */
  take(owner: string, slots: number, patience: Partial<Patience> = {}): Promise<Release> {
    const waiting = this.#line.lengthOf(owner);
    if (waiting === 0 && this.#fits(owner, slots)) return Promise.resolve(this.hold(owner, slots));
    const { waitMs = this.#limits.waitMs, refusal = this.#rules.refusal, ended } = patience;
    if (waiting >= (this.#limits.waitingOfOwner ?? anyNumber) || ended?.aborted)
      return Promise.reject(refusal?.());
    return this.#wait(owner, slots, { waitMs, refusal, ended });
  }

  /** Takes a slot that the owner may have now, or throws the refusal. */
  takeNow(owner: string): Release {
    const release = this.tryTake(owner, 1);
    if (!release) throw this.#rules.refusal?.();
    return release;
  }

  /** Takes slots that the owner may have now, or returns null. */
  tryTake(owner: string, slots: number): Release | null {
    return this.#fits(owner, slots) ? this.hold(owner, slots) : null;
  }

  /** Returns whether the owner may have more now. */
  hasRoom(owner: string): boolean {
    return this.#fits(owner, 0);
  }

  /** Takes slots, even beyond the owner's limit. */
  hold(owner: string, slots: number): Release {
    return this.#occupy(owner, slots, slots);
  }

  /** Takes a slot that counts for the owner, and not for all. */
  linger(owner: string): Release {
    return this.#occupy(owner, 1, 0);
  }

  /** The number of slots that are taken. */
  get taken(): number {
    return this.#taken;
  }

  /** Returns how many pieces of work of an owner are in progress. */
  countOf(owner: string): number {
    return this.#owners.get(owner)?.pieces ?? 0;
  }

  #fits(owner: string, slots: number): boolean {
    const { slots: all, ofOwner, shareOfFree = 1, piecesOfOwner = anyNumber } = this.#limits;
    const own = this.#owners.get(owner) ?? nothing;
    const ofFree = shareOfFree * (all - this.#taken + own.slots);
    return (
      own.pieces < piecesOfOwner &&
      isWithin(own.slots, slots, Math.min(this.#rules.ofOwner?.(owner) ?? ofOwner, ofFree)) &&
      isWithin(this.#taken, slots, all)
    );
  }

  #wait(owner: string, slots: number, { waitMs, refusal, ended }: Wait): Promise<Release> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        ended?.removeEventListener('abort', giveUp);
      };
      const giveUp = () => {
        stop();
        this.#line.remove(owner, waiter);
        reject(refusal?.());
        // Work behind it may fit.
        this.#serve();
      };
      const begin = () => {
        stop();
        resolve(this.hold(owner, slots));
      };
      const waiter: Waiter = { slots, begin };
      const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
      ended?.addEventListener('abort', giveUp);
      this.#line.push(owner, waiter);
    });
  }

  #serve(): void {
    if (this.#line.length === 0) return;
    const next = () => this.#line.shift((owner) => this.#fits(owner, this.#line.firstOf(owner)?.slots ?? 0));
    for (let waiter = next(); waiter; waiter = next()) waiter.begin();
  }

  #occupy(owner: string, slots: number, ofAll: number): Release {
    this.#change(owner, { slots, pieces: 1, ofAll });
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#change(owner, { slots: -slots, pieces: -1, ofAll: -ofAll });
      this.#serve();
    };
  }

  #change(owner: string, by: { slots: number; pieces: number; ofAll: number }): void {
    const own = this.#owners.get(owner) ?? nothing;
    const pieces = own.pieces + by.pieces;
    if (pieces > 0) this.#owners.set(owner, { slots: own.slots + by.slots, pieces });
    else this.#owners.delete(owner);
    this.#taken += by.ofAll;
  }
}

/** Work that is alone always fits, so that no limit keeps it out for good. */
function isWithin(taken: number, more: number, max: number): boolean {
  return taken === 0 || taken + more <= max;
}

/** The time for which work leaves a shared resource to others: a share of its own duration, up to a limit. */
interface Rest {
  share: number;
  msMax: number;
}

/**
 * Returns how long work that took `tookMs` rests. The duration includes the time for which a database or a disk stalled, so without a
 * limit, the work would pause for as long again.
 */
export function restMsAfter(tookMs: number, { share, msMax }: Rest): number {
  return Math.min(share * tookMs, msMax);
}
