import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { ownRelease } from '../../db/own/own-problem.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import { type Finding, note, ok } from './finding.ts';

const writes = 9;
const slowMs = 20;
const megabyte = 1_048_576;

interface OwnDatabase {
  version: string;
  bytes: number;
  checkpoint: Date;
  /** The settings that the operator has changed. */
  changed: string[];
}

/** Examines the Postgres that the server starts for itself: its version and age, its size, changed settings, and the time of its disk. */
export async function examineOwnDatabase({ db }: Pick<Database, 'db'>, dataDir: string): Promise<Finding[]> {
  const { rows } = await sql<OwnDatabase>`select current_setting('server_version') as version,
      pg_database_size(current_database()) as bytes, (select checkpoint_time from pg_control_checkpoint()) as checkpoint,
      array(select name from pg_settings where sourcefile like '%/settings.conf' order by name) as changed`.execute(
    acrossWorkspaces({ db }, 'an operator looks after the whole database'),
  );
  const { version, bytes, checkpoint, changed } = rows[0]!;
  const facts = [
    `Postgres ${version} of its own${version === ownRelease.version ? `, released ${ownRelease.releasedOn}` : ''}`,
    `${Math.ceil(bytes / megabyte)} MB`,
    `last checkpoint ${checkpoint.toISOString()}`,
    ...(changed.length > 0 ? [`settings.conf sets ${changed.join(', ')}`] : []),
  ];
  return [ok('database', facts.join(', ')), ...(await examineWrites(dataDir))];
}

/** Every mail and every request that changes something waits for the disk once. */
async function examineWrites(dataDir: string): Promise<Finding[]> {
  const path = join(dataDir, 'postgres', `doctor-${process.pid}`);
  const file = await open(path, 'w', 0o600);
  const tookMs: number[] = [];
  try {
    for (let write = 0; write < writes; write++) {
      const begunMs = performance.now();
      await file.write(Buffer.alloc(8_192), 0, 8_192, 0);
      await file.datasync();
      tookMs.push(performance.now() - begunMs);
    }
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
  const usualMs = tookMs.sort((a, b) => a - b)[Math.floor(writes / 2)] ?? 0;
  const text = `a write takes ${usualMs.toFixed(1)} ms until it is on the disk of the database.`;
  if (usualMs <= slowMs) return [];
  return [
    note(
      'database',
      text,
      'Mail and requests wait for each of them. Another disk is usually faster than 5 ms.',
    ),
  ];
}
