import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestPostgres } from '@postrider/testkit/database/postgres.ts';
import pg from 'pg';
import type { Fault } from '../fault.ts';
import { invariants } from '../invariants.ts';
import { type Outage, runOutage } from '../outage.ts';
import { mountSmallDisk, type SmallDisk } from '../small-disk.ts';
import { openSubject, type SubjectOptions } from '../subject.ts';
import type { Trial } from '../trial.ts';

const filesMb = 128;
const databaseMb = 320;

export const diskFull: Fault = {
  name: 'disk-full',
  about: 'the disk of the files, and then that of the database, is filled, 200 mails come, and room is made',
  times: { postgres: 2, own: 2 },
  control: {
    about: 'a proxy that turns 4xx into 5xx',
    breaks: [invariants.permanentRefusals],
    times: 1,
  },
  run: async (trial) => {
    await fillFiles(trial);
    await fillDatabase(trial);
  },
};

/** Fills only the disk of the files; the database has room. */
function fillFiles(trial: Trial): Promise<void> {
  return onSmallDisk(filesMb, async (disk) => {
    const env = { POSTRIDER_FILES: `file:${disk.folder}/files` };
    await fillRepeatedly(trial, disk, { env }, { name: 'files full', leftover: 0, mailBytes: 100_000 });
  });
}

/** Fills only the disk of the database; the files have room. */
function fillDatabase(trial: Trial): Promise<void> {
  return onSmallDisk(databaseMb, async (disk) => {
    const files = await mkdtemp(join(tmpdir(), 'postrider-files-'));
    try {
      const settings = { min_wal_size: '32MB', max_wal_size: '64MB' };
      const place =
        trial.database === 'postgres'
          ? { postgres: { parent: disk.folder, settings } }
          : { dataParent: disk.folder };
      await fillRepeatedly(
        trial,
        disk,
        { ...place, env: { POSTRIDER_FILES: `file:${files}` } },
        { name: 'database full', leftover: 300, mailBytes: 0 },
      );
    } finally {
      await rm(files, { recursive: true, force: true });
    }
  });
}

async function onSmallDisk(megabytes: number, work: (disk: SmallDisk) => Promise<void>): Promise<void> {
  const disk = mountSmallDisk(megabytes);
  try {
    await work(disk);
  } finally {
    disk.remove();
  }
}

async function fillRepeatedly(
  trial: Trial,
  disk: SmallDisk,
  options: SubjectOptions,
  kind: Pick<Outage, 'name' | 'leftover' | 'mailBytes'>,
): Promise<void> {
  const { home, postgres, close } = await openSubject(trial, options);
  try {
    const server = await home.start();
    for (let time = 1; time <= trial.times; time++)
      await runOutage(trial, home, server, {
        ...kind,
        total: false,
        begin: async () => disk.fill(),
        end: async () => {
          disk.free();
          await startIfEnded(postgres);
        },
      });
    await server.stop();
  } finally {
    disk.free();
    await close();
  }
}

/** Starts Postgres again if it has ended, because it does so if it cannot write its log, and a supervisor would restart it. */
async function startIfEnded(postgres: TestPostgres | null): Promise<void> {
  if (!postgres || (await answers(postgres))) return;
  await sleep(500);
  if (await answers(postgres)) return;
  await postgres.stop({ mode: 'immediate', keepData: true });
  await postgres.start();
}

async function answers({ url }: TestPostgres): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
