import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';

/** The transaction that code is in, with what is to be done once it has committed. */
const open = new AsyncLocalStorage<(() => void)[]>();

/** Runs `work` marked as being inside a transaction, which does what is in `committed` once it has committed. */
export function markTransaction<T>(work: () => Promise<T>, committed: (() => void)[] = []): Promise<T> {
  return open.run(committed, work);
}

/** Calls `act` once the transaction has committed that the caller is in, or at once outside of one. */
export function afterCommit(act: () => void): void {
  const committed = open.getStore();
  if (committed) committed.push(act);
  else act();
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
