import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { type DatabaseSettings, openDatabase } from '../../../server/src/db/database.ts';
import { migrate } from '../../../server/src/db/migrate.ts';
import { openQueue } from '../../../server/src/jobs/queue.ts';
import { embeddedTemplate } from './embedded-template.ts';
import { startPostgres } from './postgres.ts';

/** The migrated database that the test files of a run share and copy. */
export type TestDatabases =
  | { kind: 'postgres'; url: string; template: string }
  | { kind: 'embedded'; dumpFile: string };

declare module 'vitest' {
  interface ProvidedContext {
    testDatabases: TestDatabases;
    /** The folder for the data of servers. It is removed at the end of the run, including the data of killed processes. */
    testFolder: string;
  }
}

/** Runs once before the test files of a project. Starts its kind of database and migrates the template. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-run-'));
  project.provide('testFolder', folder);
  const endDatabases = await startDatabases(project);
  return async () => {
    await endDatabases();
    await rm(folder, { recursive: true, force: true });
  };
}

async function startDatabases(project: TestProject): Promise<() => Promise<void>> {
  if (project.config.env.POSTRIDER_TEST_DATABASE === 'postgres') {
    const postgres = await startPostgres();
    const template = await postgres.templateFrom((url) => migrateTemplate({ url }));
    project.provide('testDatabases', { kind: 'postgres', url: postgres.url, template });
    return () => postgres.stop();
  }
  const dumpFile = await embeddedTemplate((dataDir) => migrateTemplate({ dataDir }));
  project.provide('testDatabases', { kind: 'embedded', dumpFile });
  return async () => {};
}

/** Migrates the template, including the schema of the queue, which takes longer than all the rest. */
async function migrateTemplate(settings: DatabaseSettings): Promise<void> {
  const database = await openDatabase(settings);
  try {
    await migrate(database);
    const queue = await openQueue(database, [], pino({ level: 'silent' }));
    await queue.stop(0);
  } finally {
    await database.close();
  }
}
