import { setTimeout as sleep } from 'node:timers/promises';
import { RelayFailure } from './relay-failure.ts';
import type { RelaySession } from './relay-session.ts';

/** How many connections are kept and for how long. */
export interface RelayPoolSettings {
  connectionsMax: number;
  messagesPerConnectionMax: number;
  /** How long an unused connection stays open, in milliseconds. */
  idleMs: number;
}

interface Waiter {
  fresh: boolean;
  signal: AbortSignal | undefined;
  begin(): void;
  resolve(session: RelaySession): void;
  reject(error: Error): void;
}

/**
 * Connections to one relay, each lent to one message at a time, in the order in which they are asked for. The pool never
 * sends anything itself, so nothing is sent again behind a caller's back.
 */
export class RelayPool {
  readonly #open: (signal: AbortSignal) => Promise<RelaySession>;
  readonly #settings: RelayPoolSettings;
  readonly #sessions = new Set<RelaySession>();
  readonly #idle = new Map<RelaySession, NodeJS.Timeout>();
  readonly #opening = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #waiters: Waiter[] = [];

  /** A pool over `open`, which connects one session. */
  constructor(open: (signal: AbortSignal) => Promise<RelaySession>, settings: RelayPoolSettings) {
    this.#open = open;
    this.#settings = settings;
  }

  /** Lends a session, an idle one or (always, if `fresh`) a new one; waits in line at the limit. Rejects with a `RelayFailure`. */
  acquire(options: { fresh: boolean; signal?: AbortSignal | undefined }): Promise<RelaySession> {
    const { fresh, signal } = options;
    if (this.#closing.signal.aborted) return Promise.reject(new RelayFailure('The transport is closing.'));
    if (signal?.aborted) return Promise.reject(new RelayFailure('The attempt was cancelled.'));
    return new Promise<RelaySession>((resolve, reject) => {
      const leave = () => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        reject(new RelayFailure('The attempt was cancelled.'));
      };
      // Once its turn has come the signal is heard by the session itself.
      const begin = () => signal?.removeEventListener('abort', leave);
      const waiter: Waiter = { fresh, signal, begin, resolve, reject };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiters.push(waiter);
      this.#serveWaiters();
    });
  }

  /** Takes a session back that is ready for MAIL; one that has died may come back too. */
  release(session: RelaySession): void {
    if (!session.alive) return;
    if (this.#closing.signal.aborted || session.served >= this.#settings.messagesPerConnectionMax) {
      this.#retire(session);
      return;
    }
    const timer = setTimeout(() => this.#retire(session), this.#settings.idleMs);
    this.#idle.set(session, timer);
    this.#serveWaiters();
  }

  /** Lends no more, waits `graceMs` for lent sessions, then cuts them; resolves when every socket is gone. */
  async close(graceMs: number): Promise<void> {
    this.#closing.abort();
    for (const waiter of this.#waiters.splice(0))
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
    for (let waiter = this.#waiters[0]; waiter !== undefined; waiter = this.#waiters[0]) {
      const session = waiter.fresh ? undefined : this.#takeIdle();
      if (session === undefined && !this.#hasRoom()) {
        // Who needs a new connection may end an unused one; the line moves on when that is gone.
        const [oldest] = waiter.fresh ? this.#idle.keys() : [];
        if (oldest !== undefined) this.#retire(oldest);
        return;
      }
      this.#waiters.shift();
      waiter.begin();
      if (session === undefined) this.#openFor(waiter);
      else waiter.resolve(session);
    }
  }

  #hasRoom(): boolean {
    return this.#sessions.size + this.#opening.size < this.#settings.connectionsMax;
  }

  /** The session used last, so that the others can grow old and be closed. */
  #takeIdle(): RelaySession | undefined {
    const session = [...this.#idle.keys()].at(-1);
    if (session !== undefined) this.#forgetIdle(session);
    return session;
  }

  #forgetIdle(session: RelaySession): void {
    clearTimeout(this.#idle.get(session));
    this.#idle.delete(session);
  }

  #retire(session: RelaySession): void {
    this.#forgetIdle(session);
    void session.quit();
  }

  #openFor(waiter: Waiter): void {
    const { signal } = this.#closing;
    const opened = this.#open(waiter.signal ? AbortSignal.any([signal, waiter.signal]) : signal).then(
      (session) => {
        this.#sessions.add(session);
        void session.closed.then(() => {
          this.#forgetIdle(session);
          this.#sessions.delete(session);
          this.#serveWaiters();
        });
        waiter.resolve(session);
      },
      (error: Error) => waiter.reject(error),
    );
    this.#opening.add(opened);
    void opened.finally(() => {
      this.#opening.delete(opened);
      this.#serveWaiters();
    });
  }
}
