import { setTimeout as sleep } from 'node:timers/promises';
import { FairQueue } from '../../lib/admission/fair-queue.ts';
import { Lanes } from '../../lib/concurrency/lanes.ts';
import { RelayFailure } from './relay-failure.ts';
import type { RelaySession } from './relay-session.ts';

/** The number of connections, and how long they are kept. */
export interface RelayPoolSettings {
  /** For messages to one destination. */
  connectionsMax: number;
  /** Further connections, which no single destination takes. */
  connectionsKept: number;
  messagesPerConnectionMax: number;
  /** How long an unused connection stays open, in milliseconds. */
  idleMs: number;
}

/** The connection that a caller needs. */
interface Wanted {
  /** Connects a new one, if there is no idle one or it has to be fresh. */
  open(signal: AbortSignal): Promise<RelaySession>;
  /** Whether it has to be a new one. */
  fresh: boolean;
  /** The domain of the recipient. */
  destination: string;
  signal?: AbortSignal | undefined;
}

interface Waiter {
  open(signal: AbortSignal): Promise<RelaySession>;
  fresh: boolean;
  destination: string;
  signal: AbortSignal | undefined;
  begin(): void;
  resolve(session: RelaySession): void;
  reject(error: Error): void;
}

/** The maximum number of connections for a destination after a failure, until the relay accepts a message to it. */
const failingMax = 2;

/**
 * Connections to one relay or destination, each of which is lent to one message at a time. Destinations take turns. A destination for
 * which the relay responds slowly or not at all leaves connections to the others. The pool never sends anything itself, so nothing is
 * sent again without its caller's knowledge.
 */
export class RelayPool {
  readonly #settings: RelayPoolSettings;
  readonly #sessions = new Set<RelaySession>();
  readonly #idle = new Map<RelaySession, NodeJS.Timeout>();
  readonly #opening = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  readonly #waiters = new FairQueue<Waiter>();
  readonly #lanes: Lanes;
  readonly #countIdle: (change: 1 | -1) => void;
  readonly #destinations = new Map<RelaySession, string>();

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
  acquire({ open, fresh, destination, signal }: Wanted): Promise<RelaySession> {
    if (this.#closing.signal.aborted) return Promise.reject(new RelayFailure('The transport is closing.'));
    if (signal?.aborted) return Promise.reject(new RelayFailure('The attempt was cancelled.'));
    return new Promise<RelaySession>((resolve, reject) => {
      const leave = () => {
        this.#waiters.remove(destination, waiter);
        reject(new RelayFailure('The attempt was cancelled.'));
      };
      // Once its turn has come, the session itself follows the signal.
      const begin = () => signal?.removeEventListener('abort', leave);
      const waiter: Waiter = { open, fresh, destination, signal, begin, resolve, reject };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiters.push(destination, waiter);
      this.#serveWaiters();
    });
  }

  /** The number of messages that wait for a connection. */
  get waiting(): number {
    return this.#waiters.length;
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
    this.#endLoan(session);
    if (!session.alive) return;
    if (this.#closing.signal.aborted || session.served >= this.#settings.messagesPerConnectionMax) {
      this.#retire(session);
      return;
    }
    const timer = setTimeout(() => this.#retire(session), this.#settings.idleMs);
    this.#idle.set(session, timer);
    this.#countIdle(1);
    this.#serveWaiters();
  }

  /** Stops lending, waits `graceMs` for lent sessions, and then cuts them. Resolves once every socket is gone. */
  async close(graceMs: number): Promise<void> {
    this.#closing.abort();
    for (let waiter = this.#waiters.shift(); waiter; waiter = this.#waiters.shift())
      waiter.reject(new RelayFailure('The transport is closing.'));
    for (const session of [...this.#idle.keys()]) this.#retire(session);
    await Promise.all(this.#opening);
    const allClosed = Promise.all([...this.#sessions].map((session) => session.closed));
    const timer = new AbortController();
    await Promise.race([allClosed, sleep(graceMs, undefined, { signal: timer.signal }).catch(() => {})]);
    timer.abort();
    for (const session of this.#sessions) session.destroy('The transport was closed.');
    await allClosed;
  }

  #serveWaiters(): void {
    const mayHaveTurn = (destination: string) => this.#lanes.roomOf(destination) > 0;
    for (
      let waiter = this.#waiters.peek(mayHaveTurn);
      waiter !== undefined;
      waiter = this.#waiters.peek(mayHaveTurn)
    ) {
      const session = waiter.fresh ? undefined : this.#takeIdle();
      if (session === undefined && !this.#hasRoom()) {
        // To make room for a new connection, an unused one may be closed. The next waiter is served once that one is gone.
        if (waiter.fresh) this.closeIdle();
        return;
      }
      this.#waiters.shift(mayHaveTurn);
      waiter.begin();
      this.#lanes.enter(waiter.destination);
      if (session === undefined) this.#openFor(waiter);
      else this.#lend(session, waiter);
    }
  }

  #lend(session: RelaySession, { destination, resolve }: Waiter): void {
    this.#destinations.set(session, destination);
    resolve(session);
  }

  #endLoan(session: RelaySession): void {
    const destination = this.#destinations.get(session);
    if (destination === undefined) return;
    this.#destinations.delete(session);
    this.#lanes.leave(destination);
  }

  #hasRoom(): boolean {
    const { connectionsMax, connectionsKept } = this.#settings;
    return this.connections < connectionsMax + connectionsKept;
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

  #openFor(waiter: Waiter): void {
    const { signal } = this.#closing;
    const whole = waiter.signal ? AbortSignal.any([signal, waiter.signal]) : signal;
    const opened = waiter.open(whole).then(
      (session) => {
        this.#sessions.add(session);
        void session.closed.then(() => {
          this.#endLoan(session);
          this.#forgetIdle(session);
          this.#sessions.delete(session);
          this.#serveWaiters();
        });
        this.#lend(session, waiter);
      },
      (error: Error) => {
        this.#lanes.leave(waiter.destination);
        waiter.reject(error);
      },
    );
    this.#opening.add(opened);
    void opened.finally(() => {
      this.#opening.delete(opened);
      this.#serveWaiters();
    });
  }
}
