import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { ownRelease } from '../../db/own/own-problem.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import { type Finding, note, ok, problem } from './finding.ts';

const part = 'postgres';
const versionLeast = 150_000;
const sharedBuffersLeastMib = 128;
/** A process also listens for wake-ups, by a connection outside its pool. */
const listeningConnections = 1;
const crowdedShare = 0.8;
const recentMs = 60_000;

interface Settings {
  version: number;
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  autovacuum: string;
  shared_buffers_mib: number;
  connections: number;
}

/**
 * Checks the settings of a Postgres that keep acknowledged mail, and those that a server outgrows. With `isTrial`, settings that can lose
 * mail are only noted, as databases for tests have them on purpose.
 */
export async function examineDatabaseSettings(
  { db, pool }: Pick<Database, 'db' | 'pool'>,
  { isTrial }: { isTrial: boolean },
): Promise<Finding[]> {
  const settings = await readSettings(db);
  const whole = acrossWorkspaces({ db }, 'an operator looks after all workspaces');
  const { count } = await whole
    .selectFrom('api_processes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('seen_at', '>', new Date(Date.now() - recentMs))
    .executeTakeFirstOrThrow();
  const found = [
    ...judgeSafety(settings, isTrial ? note : problem),
    ...judgeUpkeep(settings),
    ...judgeConnections(settings, Math.max(1, count), pool.options.max),
  ];
  return found.length > 0 ? found : [ok(part, 'its settings protect acknowledged data')];
}

async function readSettings(db: Database['db']): Promise<Settings> {
  const { rows } = await sql<Settings>`
    select current_setting('server_version_num')::int as version, current_setting('fsync') as fsync,
      current_setting('full_page_writes') as full_page_writes, current_setting('synchronous_commit') as synchronous_commit,
      current_setting('autovacuum') as autovacuum,
      (pg_size_bytes(current_setting('shared_buffers')) / 1048576)::int as shared_buffers_mib,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as connections`.execute(
    db,
  );
  return rows[0]!;
}

/** Returns the settings by which a failure of power or system loses mail that was acknowledged. */
export function judgeSafety(
  settings: Pick<Settings, 'version' | 'fsync' | 'full_page_writes' | 'synchronous_commit'>,
  finding: typeof problem,
): Finding[] {
  const off = (['fsync', 'full_page_writes', 'synchronous_commit'] as const).filter(
    (name) => settings[name] === 'off',
  );
  const old =
    settings.version < versionLeast
      ? [
          problem(
            part,
            `Postgres ${Math.floor(settings.version / 10_000)} is too old.`,
            'Use Postgres 15 or newer.',
          ),
        ]
      : [];
  return [
    ...old,
    ...off.map((name) =>
      finding(
        part,
        `${name} is off, so a power failure can lose acknowledged mail.`,
        `Set ${name} = on in postgresql.conf.`,
      ),
    ),
  ];
}

/** Returns the settings that make a database slow as it grows. */
export function judgeUpkeep({
  autovacuum,
  shared_buffers_mib,
}: Pick<Settings, 'autovacuum' | 'shared_buffers_mib'>): Finding[] {
  return [
    ...(autovacuum === 'off'
      ? [
          problem(
            part,
            'autovacuum is off, so tables grow and queries slow down.',
            'Set autovacuum = on in postgresql.conf.',
          ),
        ]
      : []),
    ...(shared_buffers_mib < sharedBuffersLeastMib
      ? [
          note(
            part,
            `shared_buffers is only ${shared_buffers_mib} MB.`,
            'The usual value is a quarter of the machine’s memory.',
          ),
        ]
      : []),
  ];
}

/** Returns whether all processes get their connections. Processes that do not serve the API are not known, so it may take more. */
export function judgeConnections(
  { connections }: Pick<Settings, 'connections'>,
  processes: number,
  poolMax: number,
): Finding[] {
  const wanted = processes * (poolMax + listeningConnections);
  const text = `${processes} ${processes === 1 ? 'process' : 'processes'} can use ${wanted} connections, and Postgres has ${connections} for all programs`;
  const remedy = 'Raise max_connections in postgresql.conf, or start fewer processes.';
  if (wanted > connections) return [problem(part, `${text}.`, remedy)];
  return wanted > connections * crowdedShare ? [note(part, `${text}.`, remedy)] : [];
}

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
    `the server’s own Postgres ${version}${version === ownRelease.version ? `, released ${ownRelease.releasedOn}` : ''}`,
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
  const text = `a write takes ${usualMs.toFixed(1)} ms to reach the disk of the database.`;
  if (usualMs <= slowMs) return [];
  return [note('database', text, 'Mail and requests wait for each write. Most disks take less than 5 ms.')];
}
