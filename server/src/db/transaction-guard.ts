import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';

const open = new AsyncLocalStorage<true>();

/** Runs `work` marked as being inside a transaction. */
export function markTransaction<T>(work: () => Promise<T>): Promise<T> {
  return open.run(true, work);
}

/** Runs `work` without the mark. Anything that it starts, such as a timer, continues after the transaction and is not part of it. */
export function leaveTransaction<T>(work: () => T): T {
  return open.exit(work);
}

/**
 * Throws inside a transaction. All code that waits for something else (a provider, a file, DNS, a second connection) calls it, because such
 * a wait holds a connection and its locks.
 */
export function requireNoTransaction(what: string): void {
  if (open.getStore()) throw new Error(`${what} inside a transaction: do it before or after.`);
}

/** Makes a pool refuse a connection to code that is already in a transaction, and survive the loss of idle connections. */
export function guardPool(pool: pg.Pool, onError: (error: unknown) => void): void {
  pool.on('error', onError);
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown;
  pool.connect = ((...args: unknown[]) => {
    requireNoTransaction('A second database connection');
    return connect(...args);
  }) as typeof pool.connect;
}

/** Returns a resource whose every method throws inside a transaction. */
export function outsideTransactions<T extends object>(what: string, resource: T): T {
  return new Proxy(resource, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        requireNoTransaction(what);
        return member.apply(target, args);
      };
    },
  });
}
