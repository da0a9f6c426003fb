import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { Connections } from './connections.ts';
import type { OnNotice } from './data-folder.ts';
import { postgresProblem } from './database-errors.ts';
import { entities } from './entities.ts';
import { type OwnSettings, startOwn } from './own/own-postgres.ts';
import { explainDamage } from './own/own-problem.ts';
import { migrations } from './schema/list.ts';
import type { Db, Tables } from './tables.ts';

/** An open database. */
export interface Database {
  orm: MikroORM;
  /** The connections that ORM, queue and queries share. */
  pool: Connections;
  db: Db;
  /** The parameters for a connection outside the pool. */
  connection: pg.ClientConfig;
  /** The data folder of a Postgres that this process started; null for another one. */
  dataDir: string | null;
  /**
   * Returns an error that describes the problem with the data, if an error of a query reveals it. Any other error is returned unchanged.
   */
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
  const explain = (error: unknown) =>
    'dataDir' in settings ? explainDamage(settings.dataDir, error) : error;
  let isClosing = false;
  const report = (error: unknown) => isClosing || onError(error);
  const connection = own?.connection ?? { connectionString: (settings as { url: string }).url };
  const pool = new Connections(connection, 'url' in settings ? settings.poolMax : undefined, report);
  try {
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
    const orm = await MikroORM.init(
      defineConfig({
        entities: [...entities],
        extensions: [Migrator],
        logger: () => {},
        migrations: { migrationsList: migrations, snapshot: false, allOrNothing: false },
        ...(own ? { dbName: own.connection.database } : { clientUrl: (settings as { url: string }).url }),
        driverOptions: db,
      }),
    );
    await pool.query('select 1');
    const close = async () => {
      isClosing = true;
      await orm.close(true);
      await pool.end();
      await own?.close();
    };
    const dataDir = 'dataDir' in settings ? settings.dataDir : null;
    return { orm, pool, db, connection, dataDir, explain, close };
  } catch (error) {
    await pool.end();
    await own?.close();
    throw 'url' in settings ? postgresProblem(settings.url, error) : explain(error);
  }
}
