/*
 * Lanes share the places of a resource, such as sockets. Work in a lane that makes no progress takes long, but cannot take the places of
 * the others. A piece of work is in one of these states.
 *
 *   in line     No place is free, its lane has reached its limit, or earlier work of its lane waits. Lanes are served in turn.
 *   given up    Its caller has gone away, or the lanes are closed. It never begins.
 *   in place    It counts for its lane, or for another that it moved to, until it leaves.
 *
 * A lane is failing from a failure until its next success, and then has fewer places.
 */
import { FairQueue } from './fair-queue.ts';

/** The division of the places between lanes. */
export interface LaneRules {
  placesMax: number;
  /** The number of places that one lane leaves to the others. */
  keptForOthers: number;
  /** The number of places of a failing lane. */
  failingMax: number;
  /** How many places all failing lanes have together; as many as there are, by default. */
  failingInAllMax?: number;
  /** Whether a lane is failing; by default, whether `note` said so last. */
  isFailing?(lane: string): boolean;
  /** Returns for how long nothing may begin, in ms, for example because of a rate. Called for each piece of work that could begin. */
  restMs?(): number;
  /** Called while work waits for the resource itself, so that an unused part of it is freed. */
  makeRoom?(): void;
}

/** A place that work has. */
export interface LanePlace {
  /** Counts the place for another lane. */
  move(lane: string): void;
  /** Gives the place back. Further calls do nothing. */
  leave(): void;
}

/** Work that waits for its turn. */
export interface LaneWork {
  begin(place: LanePlace): void;
  /** Called instead if the work never begins. */
  giveUp(): void;
  signal?: AbortSignal | undefined;
}

/** The number of failing lanes that are remembered. The one that failed first is forgotten first. */
const failingLanesMax = 1_000;

/** The lanes of one resource in a process, for example of connections by destination. */
export class Lanes {
  readonly #rules: LaneRules;
  readonly #taken = new Map<string, number>();
  readonly #failing = new Set<string>();
  readonly #line = new FairQueue<{ begin(): void; giveUp(): void }>();
  #underway = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(rules: LaneRules) {
    this.#rules = { isFailing: (lane) => this.#failing.has(lane), ...rules };
  }

  /** The number of free places, and thereby the most that one lane can have. */
  get free(): number {
    return Math.max(0, this.#rules.placesMax - this.#underway);
  }

  /** The number of places that an idle lane can have. */
  get roomOfIdle(): number {
    return Math.max(1, this.#rules.placesMax - this.#rules.keptForOthers);
  }

  /** The lanes whose last work failed. */
  get failing(): string[] {
    return [...this.#failing];
  }

  /** The number of further places that all failing lanes together can take. */
  get freeOfFailing(): number {
    const { placesMax, failingInAllMax = placesMax } = this.#rules;
    let taken = 0;
    for (const [lane, places] of this.#taken) if (this.#isFailing(lane)) taken += places;
    return Math.max(0, Math.min(this.free, failingInAllMax - taken));
  }

  /** The number of pieces of work that wait. */
  get waiting(): number {
    return this.#line.length;
  }

  /** Returns how much work of a lane waits. */
  waitingIn(lane: string): number {
    return this.#line.lengthOf(lane);
  }

  /** Returns the number of further places that a lane can take. */
  roomOf(lane: string): number {
    return this.#roomOf(lane, this.#isFailing(lane) ? this.freeOfFailing : 0);
  }

  /** Returns the room of each lane that has places now or is failing. Failing lanes share `freeOfFailing`. */
  rooms(): Record<string, number> {
    const lanes = new Set([...this.#taken.keys(), ...this.#failing]);
    const { freeOfFailing } = this;
    return Object.fromEntries([...lanes].map((lane) => [lane, this.#roomOf(lane, freeOfFailing)]));
  }

  /** Begins work when it is its lane's turn, which may be at once. */
  queue(lane: string, { begin, giveUp, signal }: LaneWork): void {
    if (this.#isClosed || signal?.aborted) {
      giveUp();
      return;
    }
    const leaveLine = () => {
      this.#line.remove(lane, waiter);
      giveUp();
    };
    const settle = (act: () => void) => () => {
      signal?.removeEventListener('abort', leaveLine);
      act();
    };
    const waiter = { begin: settle(() => begin(this.enter(lane))), giveUp: settle(giveUp) };
    signal?.addEventListener('abort', leaveLine, { once: true });
    this.#line.push(lane, waiter);
    this.#serve();
  }

  /** Resolves to a place when it is the lane's turn, or to null if the work is given up. */
  take(lane: string, signal?: AbortSignal): Promise<LanePlace | null> {
    return new Promise((resolve) => {
      this.queue(lane, { begin: resolve, giveUp: () => resolve(null), signal });
    });
  }

  /** Takes a place at once, even one beyond the lane's limit. */
  enter(lane: string): LanePlace {
    let taken: string | null = lane;
    this.#count(lane, 1);
    return {
      move: (to) => {
        if (taken === null || taken === to) return;
        this.#count(taken, -1);
        this.#count(to, 1);
        taken = to;
        this.#serve();
      },
      leave: () => {
        if (taken === null) return;
        this.#count(taken, -1);
        taken = null;
        this.#serve();
      },
    };
  }

  /** Records whether the last work of a lane failed. */
  note(lane: string, hasFailed: boolean): void {
    this.#failing.delete(lane);
    if (hasFailed) this.#failing.add(lane);
    else this.#serve();
    const [first] = this.#failing;
    if (this.#failing.size > failingLanesMax && first !== undefined) this.#failing.delete(first);
  }

  /** Gives up all waiting work, and any that follows. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (let waiter = this.#line.shift(); waiter; waiter = this.#line.shift()) waiter.giveUp();
  }

  #isFailing(lane: string): boolean {
    return this.#rules.isFailing?.(lane) ?? false;
  }

  #roomOf(lane: string, freeOfFailing: number): number {
    const isFailing = this.#isFailing(lane);
    const most = isFailing ? this.#rules.failingMax : this.roomOfIdle;
    const free = isFailing ? freeOfFailing : this.free;
    return Math.max(0, Math.min(free, most - (this.#taken.get(lane) ?? 0)));
  }

  #count(lane: string, change: 1 | -1): void {
    this.#underway += change;
    const taken = (this.#taken.get(lane) ?? 0) + change;
    if (taken > 0) this.#taken.set(lane, taken);
    else this.#taken.delete(lane);
  }

  #serve(): void {
    const mayHaveTurn = (lane: string) => this.roomOf(lane) > 0;
    while (this.free > 0 && this.#line.peek(mayHaveTurn)) {
      const restMs = this.#rules.restMs?.() ?? 0;
      if (restMs > 0) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#serve(), Math.ceil(restMs));
        return;
      }
      this.#line.shift(mayHaveTurn)?.begin();
    }
    if (this.#line.length > 0 && this.free === 0) this.#rules.makeRoom?.();
  }
}
