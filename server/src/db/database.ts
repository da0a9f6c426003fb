import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type InferKyselyDB, MikroORM } from '@mikro-orm/postgresql';
import type { Kysely } from 'kysely';
import pg from 'pg';
import type { Config } from '../config/config.ts';
import { keepForControl } from './control-connection.ts';
import type { OnNotice } from './data-folder.ts';
import { entities } from './entities.ts';
import { type OwnPostgres, type OwnSettings, startOwn } from './own/own-postgres.ts';
import { damageOf } from './own/own-problem.ts';
import { postgresProblem } from './postgres-problem.ts';
import { preparing } from './preparing-client.ts';
import { migrations } from './schema/list.ts';
import { guardPool } from './transaction-guard.ts';

/** The tables as queries see them: columns in snake_case, as in the database and on the wire. */
export type Tables = InferKyselyDB<(typeof entities)[number]>;

/** Runs queries: the pool, or one transaction. */
export type Db = Kysely<Tables>;

/** An open database. */
export interface Database {
  orm: MikroORM;
  /** The pool that ORM, queue and queries share. */
  pool: pg.Pool;
  db: Db;
  /** How to connect to it, for a connection beside the pool. */
  connection: pg.ClientConfig;
  /** The data folder of a Postgres that this process started; null for another one. */
  dataDir: string | null;
  /** Returns an error that says what is wrong with the data, if an error of a query shows it. Any other error is returned unchanged. */
  explain(error: unknown): unknown;
  close(): Promise<void>;
}

/** The location of the data: a connection string, or the folder of a Postgres that this process starts for itself. */
export type DatabaseSettings = { url: string; poolMax?: number } | OwnSettings;

/** Returns the location of the data of a configuration. */
export function databaseSettings({
  databaseUrl,
  dataDir,
  postgresBin,
}: Pick<Config, 'databaseUrl' | 'dataDir' | 'postgresBin'>): DatabaseSettings {
  return databaseUrl ? { url: databaseUrl } : { dataDir, postgresBin };
}

/** How long a request may wait for a connection before it gets a 503. */
export const databaseLimits = { connectionWaitMs: 5_000 };
const poolMaxDefault = 10;

/**
 * Opens the database and checks that it responds. `onError` is called for connections that break while idle, `onNotice` for notices about
 * the data folder.
 *
 * @throws StartError that says why it cannot be used.
 */
export async function openDatabase(
  settings: DatabaseSettings,
  onError: (error: unknown) => void = () => {},
  onNotice: OnNotice = () => {},
): Promise<Database> {
  const own = 'url' in settings ? null : await startOwn(settings, onNotice);
  const max = ('url' in settings && settings.poolMax) || poolMaxDefault;
  const explain = (error: unknown) => ('dataDir' in settings ? damageOf(settings.dataDir, error) : error);
  let isClosing = false;
  const report = (error: unknown) => isClosing || onError(error);
  const connection = own?.connection ?? { connectionString: (settings as { url: string }).url };
  try {
    const orm = await MikroORM.init(
      defineConfig({
        entities: [...entities],
        extensions: [Migrator],
        logger: () => {},
        migrations: { migrationsList: migrations, snapshot: false, allOrNothing: false },
        ...(own ? connectionOf(own) : { clientUrl: (settings as { url: string }).url }),
        pool: { min: 0, max, idleTimeoutMillis: 30_000 },
        driverOptions: {
          // The ORM reads no parameters of a URL, such as the folder of a socket.
          ...(own ? {} : connection),
          types: columnTypes(),
          // A host that vanishes does not end its connections.
          keepAlive: true,
          keepAliveInitialDelayMillis: 10_000,
          connectionTimeoutMillis: databaseLimits.connectionWaitMs,
          onConnect: neverCompile,
          onPoolCreated: (pool: pg.Pool) => {
            keepForControl(pool, report);
            guardPool(pool, report);
          },
          Client: preparing(),
        },
      }),
    );
    const pool = await nativePool(orm);
    await pool.query('select 1');
    const close = async () => {
      isClosing = true;
      await orm.close(true);
      await own?.close();
    };
    const dataDir = 'dataDir' in settings ? settings.dataDir : null;
    return { orm, pool, db: queries(orm), connection, dataDir, explain, close };
  } catch (error) {
    await own?.close();
    throw 'url' in settings ? postgresProblem(settings.url, error) : explain(error);
  }
}

/** To compile a statement takes longer than to run it: 0.15 s for one that Postgres expects to be long and that takes a millisecond. */
async function neverCompile(client: pg.Client): Promise<void> {
  await client.query('set jit = off');
}

function connectionOf({ connection: { host, port, user, database } }: OwnPostgres) {
  return { host, port, user, dbName: database };
}

/** Returns the ORM's Kysely, typed by the entities. */
function queries(orm: MikroORM): Db {
  return orm.em.getKysely() as unknown as Db;
}

function nativePool(orm: MikroORM): Promise<pg.Pool> {
  return (orm.em.getConnection() as unknown as { getNativeClient(): Promise<pg.Pool> }).getNativeClient();
}

/** Returns the column types of `pg`, but with 64-bit integers as numbers, because ours stay far below 2^53. */
function columnTypes(): pg.TypeOverrides {
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  return types;
}
