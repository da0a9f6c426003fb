import { setTimeout as sleep } from 'node:timers/promises';
import { type LanePlace, Lanes } from '../../lib/admission/lanes.ts';
import { RelayFailure } from './classify-reply.ts';
import type { RelaySession } from './relay-session.ts';

/** The number of connections, and how long they are kept. */
export interface RelayPoolSettings {
  /** For messages to one destination. */
  connectionsMax: number;
  /** Further connections, which no single destination can take. */
  connectionsKept: number;
  messagesPerConnectionMax: number;
  /** The time for which an unused connection stays open, in milliseconds. */
  idleMs: number;
}

/** The connection that a caller needs. */
interface Wanted {
  /** Opens a new connection if there is no idle one or it must be fresh. */
  open(signal: AbortSignal): Promise<RelaySession>;
  /** Whether it has to be a new one. */
  fresh: boolean;
  /** The domain of the recipient. */
  destination: string;
  signal?: AbortSignal | undefined;
}

interface Borrower extends Wanted {
  place: LanePlace;
  cancel(): void;
  resolve(session: RelaySession): void;
  reject(error: Error): void;
}

/** The maximum number of connections for a destination after a failure, until the relay accepts a message to it. */
const failingMax = 2;

/**
 * Connections to one relay or destination, each of which is lent to one message at a time. Destinations are lanes: one for which the relay
 * responds slowly or not at all leaves connections to the others. The pool never sends anything itself, so nothing is sent again without
 * its caller's knowledge.
 */
export class RelayPool {
  readonly #settings: RelayPoolSettings;
  readonly #lanes: Lanes;
  readonly #sessions = new Set<RelaySession>();
  readonly #idle = new Map<RelaySession, NodeJS.Timeout>();
  readonly #lent = new Map<RelaySession, LanePlace>();
  readonly #opening = new Set<Promise<void>>();
  /** Those that have a place, and wait until a connection that nobody uses is closed. */
  readonly #borrowers = new Set<Borrower>();
  readonly #closing = new AbortController();
  readonly #countIdle: (change: 1 | -1) => void;

  /** `countIdle` is called with 1 for each connection that becomes idle, and with -1 for each that no longer is. */
  constructor(settings: RelayPoolSettings, countIdle: (change: 1 | -1) => void = () => {}) {
    this.#settings = settings;
    this.#countIdle = countIdle;
    const { connectionsMax, connectionsKept } = settings;
    this.#lanes = new Lanes({
      placesMax: connectionsMax + connectionsKept,
      keptForOthers: connectionsKept,
      failingMax: Math.min(failingMax, connectionsMax),
    });
  }

  /**
   * Lends an idle session, or a new one (always if `fresh` is set). Waits its turn if all connections are in use. Rejects with a
   * `RelayFailure`. The borrower has to call `release`, or `destroy` of the session.
   */
  acquire(wanted: Wanted): Promise<RelaySession> {
    return new Promise<RelaySession>((resolve, reject) => {
      this.#lanes.queue(wanted.destination, {
        begin: (place) => {
          const cancel = () => this.#refuse(borrower, this.#gaveUp());
          const borrower: Borrower = { ...wanted, place, cancel, resolve, reject };
          wanted.signal?.addEventListener('abort', cancel, { once: true });
          this.#borrowers.add(borrower);
          this.#serve();
        },
        giveUp: () => reject(this.#gaveUp()),
        signal: wanted.signal,
      });
    });
  }

  /** The number of messages that wait for a connection. */
  get waiting(): number {
    return this.#lanes.waiting + this.#borrowers.size;
  }

  /** The number of open connections. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** The number of connections, including those that are being opened. */
  get connections(): number {
    return this.#sessions.size + this.#opening.size;
  }

  /** Closes the connection that has been idle for the longest time. Returns whether there was one. */
  closeIdle(): boolean {
    const [oldest] = this.#idle.keys();
    if (oldest !== undefined) this.#retire(oldest);
    return oldest !== undefined;
  }

  /** Records whether the last message to a destination was deferred. */
  note(destination: string, wasDeferred: boolean): void {
    this.#lanes.note(destination, wasDeferred);
  }

  /** Takes back a session that is ready for MAIL. A dead one may be returned, too. */
  release(session: RelaySession): void {
    const place = this.#lent.get(session);
    this.#lent.delete(session);
    if (session.alive) this.#keep(session);
    this.#serve();
    place?.leave();
  }

  /** Stops lending, waits `graceMs` for lent sessions, and then cuts them. Resolves once every socket has closed. */
  async close(graceMs: number): Promise<void> {
    this.#closing.abort();
    this.#lanes.close();
    for (const borrower of this.#borrowers) this.#refuse(borrower, this.#gaveUp());
    for (const session of [...this.#idle.keys()]) this.#retire(session);
    await Promise.all(this.#opening);
    const allClosed = Promise.all([...this.#sessions].map((session) => session.closed));
    const timer = new AbortController();
    await Promise.race([allClosed, sleep(graceMs, undefined, { signal: timer.signal }).catch(() => {})]);
    timer.abort();
    for (const session of this.#sessions) session.destroy('The transport was closed.');
    await allClosed;
  }

  #gaveUp(): RelayFailure {
    return new RelayFailure(
      this.#closing.signal.aborted ? 'The transport is closing.' : 'The attempt was cancelled.',
    );
  }

  /** Lends connections to those that have a place, the first one first. */
  #serve(): void {
    for (const borrower of this.#borrowers) {
      const session = borrower.fresh ? undefined : this.#takeIdle();
      const { connectionsMax, connectionsKept } = this.#settings;
      if (session === undefined && this.connections >= connectionsMax + connectionsKept) {
        // The borrower is served once a connection has closed.
        this.closeIdle();
        return;
      }
      this.#endWait(borrower);
      if (session === undefined) this.#openFor(borrower);
      else this.#lend(session, borrower);
    }
  }

  /** From here on, the session itself follows the signal. */
  #endWait(borrower: Borrower): void {
    this.#borrowers.delete(borrower);
    borrower.signal?.removeEventListener('abort', borrower.cancel);
  }

  #lend(session: RelaySession, { place, resolve }: Borrower): void {
    this.#lent.set(session, place);
    resolve(session);
  }

  #refuse(borrower: Borrower, error: Error): void {
    this.#endWait(borrower);
    borrower.reject(error);
    borrower.place.leave();
  }

  #keep(session: RelaySession): void {
    if (this.#closing.signal.aborted || session.served >= this.#settings.messagesPerConnectionMax) {
      this.#retire(session);
      return;
    }
    this.#idle.set(
      session,
      setTimeout(() => this.#retire(session), this.#settings.idleMs),
    );
    this.#countIdle(1);
  }

  /** Returns the session used last, so that the others can grow old and be closed. */
  #takeIdle(): RelaySession | undefined {
    const session = [...this.#idle.keys()].at(-1);
    if (session !== undefined) this.#forgetIdle(session);
    return session;
  }

  #forgetIdle(session: RelaySession): void {
    clearTimeout(this.#idle.get(session));
    if (this.#idle.delete(session)) this.#countIdle(-1);
  }

  #retire(session: RelaySession): void {
    this.#forgetIdle(session);
    void session.quit();
  }

  #openFor(borrower: Borrower): void {
    const { signal } = this.#closing;
    const whole = borrower.signal ? AbortSignal.any([signal, borrower.signal]) : signal;
    const opened = borrower.open(whole).then(
      (session) => {
        this.#sessions.add(session);
        void session.closed.then(() => this.#forget(session));
        this.#lend(session, borrower);
      },
      (error: Error) => this.#refuse(borrower, error),
    );
    this.#opening.add(opened);
    void opened.finally(() => {
      this.#opening.delete(opened);
      this.#serve();
    });
  }

  #forget(session: RelaySession): void {
    this.#forgetIdle(session);
    this.#sessions.delete(session);
    this.release(session);
  }
}
