import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type InferKyselyDB, MikroORM } from '@mikro-orm/postgresql';
import type { Kysely } from 'kysely';
import pg from 'pg';
import type { Config } from '../config.ts';
import type { OnNotice } from './data-folder.ts';
import type { EmbeddedLocation } from './embedded.ts';
import { damageOf } from './embedded-problem.ts';
import { entities } from './entities.ts';
import { keepForControl, shareConnection } from './fair-connections.ts';
import { postgresProblem } from './postgres-problem.ts';
import { preparing } from './preparing-client.ts';
import { migrations } from './schema/list.ts';
import { guardPool } from './transaction-guard.ts';

/** The tables as queries see them: columns in snake_case, as in the database and on the wire. */
export type Tables = InferKyselyDB<(typeof entities)[number]>;

/** Runs queries: the pool, or one transaction. */
export type Db = Kysely<Tables>;

/** An open database of either kind. */
export interface Database {
  kind: 'embedded' | 'postgres';
  orm: MikroORM;
  /** The pool that ORM, queue and queries share. */
  pool: pg.Pool;
  db: Db;
  /** Returns an error that says what is wrong with the data, if an error of a query shows it. Any other error is returned unchanged. */
  explain(error: unknown): unknown;
  close(): Promise<void>;
}

/** The location of the data: a connection string, or the embedded database. */
export type DatabaseSettings = { url: string; poolMax?: number } | EmbeddedLocation;

/** Returns the location of the data of a configuration. */
export function databaseSettings(config: Pick<Config, 'databaseUrl' | 'dataDir'>): DatabaseSettings {
  return config.databaseUrl ? { url: config.databaseUrl } : { dataDir: config.dataDir };
}

/** How long a request may wait for a connection before it gets a 503. The embedded database is never unreachable, only busy. */
const connectionWaitMs = { postgres: 5_000, embedded: 30_000 };

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
  const embedded = 'url' in settings ? null : await openHere(settings, onNotice);
  const max = 'url' in settings ? (settings.poolMax ?? 10) : 1;
  const explain = (error: unknown) => ('dataDir' in settings ? damageOf(settings.dataDir, error) : error);
  try {
    const orm = await MikroORM.init(
      defineConfig({
        entities: [...entities],
        extensions: [Migrator],
        logger: () => {},
        migrations: { migrationsList: migrations, snapshot: false, allOrNothing: false },
        ...('url' in settings ? { clientUrl: settings.url } : { dbName: 'postgres' }),
        pool: { min: 0, max, idleTimeoutMillis: embedded ? 0 : 30_000 },
        driverOptions: {
          types: columnTypes(),
          // A host that vanishes does not end its connections.
          keepAlive: true,
          keepAliveInitialDelayMillis: 10_000,
          connectionTimeoutMillis: connectionWaitMs[embedded ? 'embedded' : 'postgres'],
          ...(!embedded && { onConnect: neverCompile }),
          onPoolCreated: (pool: pg.Pool) => {
            if (embedded) shareConnection(pool, connectionWaitMs.embedded);
            else keepForControl(pool, onError);
            guardPool(pool, onError);
          },
          Client: preparing(embedded?.Client),
        },
      }),
    );
    const pool = await nativePool(orm);
    await pool.query('select 1');
    const stopVacuum = embedded ? embedded.startVacuum(pool, onError) : () => {};
    const close = async () => {
      stopVacuum();
      await orm.close(true);
      await embedded?.close();
    };
    return { kind: embedded ? 'embedded' : 'postgres', orm, pool, db: queries(orm), explain, close };
  } catch (error) {
    await embedded?.close();
    throw 'url' in settings ? postgresProblem(settings.url, error) : explain(error);
  }
}

/** To compile a statement takes longer than to run it: 0.15 s for one that Postgres expects to be long and that takes a millisecond. */
async function neverCompile(client: pg.Client): Promise<void> {
  await client.query('set jit = off');
}

/** A server on Postgres does not load the embedded database. */
async function openHere(location: EmbeddedLocation, onNotice: OnNotice) {
  const { openEmbedded, startVacuum } = await import('./embedded.ts');
  return { ...(await openEmbedded(location, onNotice)), startVacuum };
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
