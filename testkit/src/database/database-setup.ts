import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../../server/src/db/database.ts';
import { migrate } from '../../../server/src/db/migrate.ts';
import { openQueue } from '../../../server/src/jobs/queue.ts';
import { startPostgres } from './postgres.ts';

/** The migrated database that the test files of a run share and copy. */
export interface TestDatabases {
  url: string;
  template: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    testDatabases: TestDatabases;
    /** The folder for the data of servers. It is removed at the end of the run, including the data of killed processes. */
    testFolder: string;
  }
}

/** Runs once before the test files of a project. Starts a Postgres and migrates the template. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-run-'));
  project.provide('testFolder', folder);
  const postgres = await startPostgres();
  const template = await postgres.templateFrom(migrateTemplate);
  project.provide('testDatabases', { url: postgres.socketUrl, template });
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** Migrates the template, including the schema of the queue, which takes longer than all the rest. */
async function migrateTemplate(url: string): Promise<void> {
  const database = await openDatabase({ url });
  try {
    await migrate(database);
    const queue = await openQueue(database, [], pino({ level: 'silent' }));
    await queue.stop(0);
  } finally {
    await database.close();
  }
}
