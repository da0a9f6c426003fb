import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';

const open = new AsyncLocalStorage<true>();

/** Runs `work` marked as being inside a transaction. */
export const markTransaction = <T>(work: () => Promise<T>): Promise<T> => open.run(true, work);

/** Runs `work` without the mark: what it starts, such as a timer, goes on after the transaction and is no part of it. */
export const leaveTransaction = <T>(work: () => T): T => open.exit(work);

/**
 * Throws inside a transaction. Everything that waits for something else (a provider, a file, DNS, a second connection) calls
 * it, because such a wait holds a connection and its locks, and on the embedded database can never end.
 */
export const requireNoTransaction = (what: string): void => {
  if (open.getStore()) throw new Error(`${what} inside a transaction: do it before or after.`);
};

/** Makes a pool refuse a connection to whoever already holds a transaction, and outlive the loss of idle connections. */
export const guardPool = (pool: pg.Pool, onError: (error: unknown) => void): void => {
  pool.on('error', onError);
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown;
  pool.connect = ((...args: unknown[]) => {
    requireNoTransaction('A second database connection');
    return connect(...args);
  }) as typeof pool.connect;
};

/** A resource whose every method throws inside a transaction. */
export const outsideTransactions = <T extends object>(what: string, resource: T): T =>
  new Proxy(resource, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        requireNoTransaction(what);
        return member.apply(target, args);
      };
    },
  });
