import { FairQueue } from '../../../lib/concurrency/fair-queue.ts';
import { RelayFailure } from '../relay-failure.ts';

/** How many sockets there may be. */
export interface SocketBudgetRules {
  socketsMax: number;
  /** Those of destinations that are not known to work. However many of them hang, the others have room. */
  unprovenMax: number;
  /** Closes an idle connection to make room. */
  makeRoom(): void;
}

/** Room for one socket. */
export interface SocketPlace {
  /** Its destination works. */
  prove(): void;
  leave(): void;
}

interface Waiter {
  begin(): void;
}

/** Shares the sockets of a transport between destinations, which take turns. */
export class SocketBudget {
  readonly #rules: SocketBudgetRules;
  readonly #waiters = new FairQueue<Waiter>();
  /** Whether a destination is known to work, for those that wait. */
  readonly #isProven = new Map<string, boolean>();
  #sockets = 0;
  #unproven = 0;

  constructor(rules: SocketBudgetRules) {
    this.#rules = rules;
  }

  /** Waits for room for one socket. Rejects with a `RelayFailure` if the signal cuts it. */
  enter(destination: string, isProven: boolean, signal: AbortSignal): Promise<SocketPlace> {
    if (signal.aborted) return Promise.reject(new RelayFailure('The attempt was cancelled.'));
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiters.remove(destination, waiter);
        reject(new RelayFailure('No connection became free.'));
      };
      const waiter: Waiter = {
        begin: () => {
          signal.removeEventListener('abort', leave);
          resolve(this.#take(isProven));
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#isProven.set(destination, isProven);
      this.#waiters.push(destination, waiter);
      this.#serve();
    });
  }

  #take(isProvenNow: boolean): SocketPlace {
    let isProven = isProvenNow;
    let isTaken = true;
    this.#sockets += 1;
    if (!isProven) this.#unproven += 1;
    const prove = () => {
      if (isProven) return;
      isProven = true;
      this.#unproven -= 1;
      this.#serve();
    };
    const leave = () => {
      if (!isTaken) return;
      isTaken = false;
      this.#sockets -= 1;
      prove();
      this.#serve();
    };
    return { prove, leave };
  }

  #serve(): void {
    const { socketsMax, unprovenMax, makeRoom } = this.#rules;
    const mayHaveTurn = (destination: string) =>
      this.#isProven.get(destination) === true || this.#unproven < unprovenMax;
    while (this.#sockets < socketsMax) {
      const waiter = this.#waiters.shift(mayHaveTurn);
      if (waiter === undefined) break;
      waiter.begin();
    }
    if (this.#waiters.length === 0) this.#isProven.clear();
    else if (this.#sockets >= socketsMax) makeRoom();
  }
}
