import { FairQueue } from '../../../lib/admission/fair-queue.ts';
import { RelayFailure } from '../relay-failure.ts';

/** How many sockets there may be. */
export interface SocketBudgetRules {
  socketsMax: number;
  /** Those of destinations that are not known to work. However many of them hang, the others have room. */
  unprovenMax: number;
  /** Those of them that connect for one owner, so that the others have room, too. */
  unprovenOfOwnerMax: number;
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

const [provenMark, unprovenMark] = ['+', '-'] as const;

/** Shares the sockets of a transport between the owners of mail, which take turns. */
export class SocketBudget {
  readonly #rules: SocketBudgetRules;
  /** An owner has two lines, so that what waits for unproven destinations does not hold up the rest of its mail. */
  readonly #waiters = new FairQueue<Waiter>();
  readonly #unprovenOf = new Map<string, number>();
  #sockets = 0;
  #unproven = 0;

  constructor(rules: SocketBudgetRules) {
    this.#rules = rules;
  }

  /**
   * Waits for room for one socket, to a destination that is known to work or not. Rejects with a `RelayFailure` if the signal cuts it.
   */
  enter(owner: string, isProven: boolean, signal: AbortSignal): Promise<SocketPlace> {
    if (signal.aborted) return Promise.reject(new RelayFailure('The attempt was cancelled.'));
    const line = (isProven ? provenMark : unprovenMark) + owner;
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiters.remove(line, waiter);
        reject(new RelayFailure('No connection became free.'));
      };
      const waiter: Waiter = {
        begin: () => {
          signal.removeEventListener('abort', leave);
          resolve(this.#take(owner, isProven));
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiters.push(line, waiter);
      this.#serve();
    });
  }

  #take(owner: string, isProvenNow: boolean): SocketPlace {
    let isProven = isProvenNow;
    let isTaken = true;
    this.#sockets += 1;
    if (!isProven) this.#countUnproven(owner, 1);
    const prove = () => {
      if (isProven) return;
      isProven = true;
      this.#countUnproven(owner, -1);
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

  #countUnproven(owner: string, change: 1 | -1): void {
    this.#unproven += change;
    const left = (this.#unprovenOf.get(owner) ?? 0) + change;
    if (left > 0) this.#unprovenOf.set(owner, left);
    else this.#unprovenOf.delete(owner);
  }

  #mayHaveTurn(line: string): boolean {
    if (line.startsWith(provenMark)) return true;
    const { unprovenMax, unprovenOfOwnerMax } = this.#rules;
    const ofOwner = this.#unprovenOf.get(line.slice(unprovenMark.length)) ?? 0;
    return this.#unproven < unprovenMax && ofOwner < unprovenOfOwnerMax;
  }

  #serve(): void {
    const { socketsMax, makeRoom } = this.#rules;
    while (this.#sockets < socketsMax) {
      const waiter = this.#waiters.shift((line) => this.#mayHaveTurn(line));
      if (waiter === undefined) break;
      waiter.begin();
    }
    if (this.#waiters.length > 0 && this.#sockets >= socketsMax) makeRoom();
  }
}
