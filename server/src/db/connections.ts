/*
 * All connections to the database, except those that listen. Most queries share a pool. People who stop what is sent have one connection
 * beside it, because callers may hold all of the pool. Code in a transaction gets no second one: if all connections were held by code that
 * waits for another, nothing would ever continue.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { PreparingClient } from './prepared.ts';
import { requireNoTransaction } from './transaction.ts';

/** How long a request may wait for a connection before it gets a 503. */
export const databaseLimits = { connectionWaitMs: 5_000 };
const sharedMax = 10;
const controlMax = 1;
const idleMs = 30_000;
/** A host that vanishes does not end its connections. */
const aliveAfterMs = 10_000;

const controlling = new AsyncLocalStorage<{ isOver: boolean }>();

/**
 * Runs a change of what may be sent on a connection of its own: the people who stop a busy server do not wait behind the callers that they
 * stop. Anything that it leaves running goes back to the pool.
 */
export async function onControlConnection<T>(work: () => Promise<T>): Promise<T> {
  const state = { isOver: false };
  try {
    return await controlling.run(state, work);
  } finally {
    state.isOver = true;
  }
}

/** A row as `pg` types it for a caller that does not say what is in it. */
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

  /** Returns a connection, which the caller has to release. Rejects for code in a transaction, which has one. */
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

/** To compile a statement takes longer than to run it: 0.15 s for one that Postgres expects to be long and that takes a millisecond. */
async function neverCompile(client: pg.ClientBase): Promise<void> {
  await client.query('set jit = off');
}

/** Returns the column types of `pg`, but with 64-bit integers as numbers, because ours stay far below 2^53. */
function columnTypes(): pg.TypeOverrides {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  return types;
}
