/*
 * All connections to the database, except those that listen. Most queries share a pool. People who stop sending have a separate connection,
 * because callers may occupy the whole pool. Code in a transaction does not get a second connection: if code that waits for another
 * connection held all of them, nothing would ever continue.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import pg from 'pg';
import { PreparingClient } from './prepared.ts';
import type { Db } from './tables.ts';

/** The time for which a request can wait for a connection before it gets a 503. */
export const databaseLimits = { connectionWaitMs: 5_000 };
const sharedMax = 10;
const controlMax = 1;
const idleMs = 30_000;
/** A host that vanishes does not end its connections. */
const aliveAfterMs = 10_000;

const controlling = new AsyncLocalStorage<{ isOver: boolean }>();

/**
 * Runs a change of what can be sent on a separate connection, so that the people who stop a busy server do not wait behind the callers that
 * they stop. Work that it leaves running uses the pool again.
 */
export async function onControlConnection<T>(work: () => Promise<T>): Promise<T> {
  const state = { isOver: false };
  try {
    return await controlling.run(state, work);
  } finally {
    state.isOver = true;
  }
}

/** A row as `pg` types it for a caller that does not specify its type. */
type AnyRow = pg.QueryResult['rows'][number];

/** The connections of one server, as Kysely and queries in plain SQL get them. */
export class Connections {
  readonly options: pg.PoolConfig & { max: number };
  readonly #shared: pg.Pool;
  /** Opened when it is first needed, and closed when nobody has used it for a while. */
  readonly #control: pg.Pool;
  #ended: Promise<void> | null = null;

  /** `onError` is called for connections that break while idle. */
  constructor(server: pg.ClientConfig, max: number | undefined, onError: (error: unknown) => void) {
    this.options = {
      ...server,
      min: 0,
      max: max || sharedMax,
      idleTimeoutMillis: idleMs,
      connectionTimeoutMillis: databaseLimits.connectionWaitMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: aliveAfterMs,
      types: columnTypes(),
      onConnect: neverCompile,
      Client: PreparingClient,
    };
    this.#shared = openPool(this.options, onError);
    this.#control = openPool({ ...this.options, max: controlMax }, onError);
  }

  /** Returns a connection, which the caller must release. Rejects for code in a transaction, which already has one. */
  async connect(): Promise<pg.PoolClient> {
    return this.#poolOfCaller().connect();
  }

  /** Runs one statement, or several without values. */
  async query<Row extends pg.QueryResultRow = AnyRow>(text: string, values?: unknown[]) {
    return this.#poolOfCaller().query<Row>(text, values);
  }

  /** Closes all connections once they are released. */
  end(): Promise<void> {
    this.#ended ??= Promise.all([this.#control.end(), this.#shared.end()]).then(() => {});
    return this.#ended;
  }

  #poolOfCaller(): pg.Pool {
    requireNoTransaction('A second database connection');
    return controlling.getStore()?.isOver === false ? this.#control : this.#shared;
  }
}

/** Opens a pool that survives the loss of connections. One that is lost in use fails the query under way, or the next one. */
function openPool(options: pg.PoolConfig, onError: (error: unknown) => void): pg.Pool {
  const pool = new pg.Pool(options);
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Compiling a statement takes longer than running it: 0.15 s for one that Postgres expects to be long and that takes a millisecond. */
async function neverCompile(client: pg.ClientBase): Promise<void> {
  await client.query('set jit = off');
}

/** Returns the column types of `pg`, but with 64-bit integers as numbers, because ours stay far below 2^53. */
function columnTypes(): pg.TypeOverrides {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  return types;
}

/** The current transaction, with the work to do once it has committed. */
const open = new AsyncLocalStorage<(() => void)[]>();

/** Runs `work` in one transaction, with a context whose queries belong to it; an error rolls it back. */
export async function inTransaction<Ctx extends { db: Db }, T>(
  ctx: Ctx,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  const committed: (() => void)[] = [];
  const result = await ctx.db
    .transaction()
    .execute((db) => markTransaction(() => work({ ...ctx, db }), committed));
  for (const act of committed) act();
  return result;
}

/**
 * Runs statements that only read in one transaction on Postgres, in which each ends with an error after `timeoutMs`. An error of `work`
 * ends the transaction.
 */
export function inTimedTransaction<Ctx extends { db: Db }, T>(
  ctx: Ctx,
  timeoutMs: number,
  work: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  return ctx.db.connection().execute(async (db) => {
    try {
      await sql.raw(beginWithSettings(timeoutMs)).execute(db);
      const result = await markTransaction(() => work({ ...ctx, db }));
      await sql`commit`.execute(db);
      return result;
    } catch (error) {
      // It fails only with the connection, which the pool then drops.
      await sql`rollback`.execute(db).catch(() => {});
      throw error;
    }
  });
}

/**
 * Without parameters, these statements take one round trip. Parallel workers would spread one statement over the cores that other searches
 * need: on two cores, they took three times the processor time for 100,000 codes and were no faster.
 */
function beginWithSettings(timeoutMs: number): string {
  return `begin read only; set local statement_timeout = ${Math.ceil(timeoutMs)}; set local max_parallel_workers_per_gather = 0`;
}

/** Runs `work` marked as inside a transaction, and runs the functions in `committed` once it has committed. */
function markTransaction<T>(work: () => Promise<T>, committed: (() => void)[] = []): Promise<T> {
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
