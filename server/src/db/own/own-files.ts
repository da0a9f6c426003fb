import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { OnNotice } from '../data-folder.ts';
import type { Account, Binaries, Runner } from './find-binaries.ts';
import {
  anotherMajor,
  databaseGone,
  earlierForm,
  foreignFiles,
  ownMajor,
  startProblem,
  unreachable,
} from './own-problem.ts';

/** Exists next to the files while they are created. Files whose creation was interrupted have no data yet. */
const unfinishedMarker = (dataDir: string) => join(dataDir, 'postgres', 'unfinished');

/**
 * Checks that the files in a data folder are those of a database that this program can start, or that the folder is still empty. Files
 * whose creation was interrupted are moved aside.
 *
 * @throws StartError otherwise. Nothing is overwritten.
 */
export function requireFiles(dataDir: string, onNotice: OnNotice): void {
  const data = join(dataDir, 'postgres', 'data');
  if (existsSync(join(dataDir, 'database', 'PG_VERSION'))) throw earlierForm(join(dataDir, 'database'));
  const wasCutOff = existsSync(unfinishedMarker(dataDir));
  if (wasCutOff) putAside(data, onNotice);
  const names = existsSync(data) ? readdirSync(data) : [];
  if (names.length === 0) {
    const others = wasCutOff ? [] : othersIn(dataDir);
    if (others.length > 0) throw databaseGone(dataDir, others);
    return;
  }
  if (!names.includes('PG_VERSION')) throw foreignFiles(data, names);
  const major = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (major !== ownMajor) throw anotherMajor(data, major);
}

/** Returns the files that a server has created next to its database. The database is created first. */
function othersIn(dataDir: string): string[] {
  const files = join(dataDir, 'files');
  const hasFiles = existsSync(files) && readdirSync(files).length > 0;
  return [...(existsSync(join(dataDir, 'secret')) ? ['secret'] : []), ...(hasFiles ? ['files'] : [])];
}

/** Moves unfinished files away instead of deleting them, because the marker may have been left next to finished ones. */
function putAside(data: string, onNotice: OnNotice): void {
  if (!existsSync(data) || readdirSync(data).length === 0) return;
  const aside = `${data}.unfinished-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  renameSync(data, aside);
  onNotice(`an incomplete database was moved to ${aside}, and can be removed`);
}

/**
 * Lets the account that runs Postgres, if it is another one, pass through the data folder to its own, and see nothing on its way.
 *
 * @throws StartError if it cannot come that far, as below the closed home of root.
 */
export function openWay(dataDir: string, { account }: Runner): void {
  if (!account) return;
  chmodSync(dataDir, 0o711);
  if (spawnSync('test', ['-x', dataDir], { cwd: '/', ...account }).status !== 0) throw unreachable(dataDir);
}

/**
 * Creates the files of Postgres if there are none. The collation is one of Postgres itself, because one of the system would break indexes
 * when the folder moves to another system.
 *
 * @throws StartError if they cannot be created.
 */
export async function createFiles(dataDir: string, binaries: Binaries, runner: Runner): Promise<void> {
  const folder = join(dataDir, 'postgres');
  const data = join(folder, 'data');
  for (const path of [folder, data, join(folder, 'log')]) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    giveTo(runner.account, path);
  }
  if (existsSync(join(data, 'PG_VERSION')) && !existsSync(unfinishedMarker(dataDir))) return;
  writeFileSync(unfinishedMarker(dataDir), '', { mode: 0o600 });
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const command = [join(binaries.folder, 'initdb'), '-D', data, '-U', 'postgres', '-A', 'trust', ...locale];
  const [program = '', ...args] = runner.wrap(command);
  const made = spawnSync(program, args, { encoding: 'utf8', cwd: '/', ...runner.account });
  if (made.status !== 0) throw startProblem(dataDir, made.stderr || String(made.error ?? ''));
  rmSync(unfinishedMarker(dataDir));
}

/** Gives a path to the account that runs Postgres; without one it stays ours. */
export function giveTo(account: Account | null, path: string): void {
  if (account) chownSync(path, account.uid, account.gid);
}

/** Values for a small machine. Operators of larger machines raise them in `settings.conf`. */
const forSmallMachines = {
  shared_buffers: '64MB',
  max_connections: 40,
  // Compiling a statement takes longer than running it.
  jit: 'off',
  // Three more processes would only read ahead what is already in memory.
  io_method: 'sync',
};

const log = {
  logging_collector: 'on',
  log_directory: '../log',
  log_filename: 'postgres-%a.log',
  log_file_mode: '0600',
  log_rotation_age: '1d',
  log_rotation_size: 0,
  log_truncate_on_rotation: 'on',
};

/**
 * Writes the settings of Postgres, at each start. The operator's own file comes after them, and is never written.
 */
export function writeSettings(data: string, socket: string, { kind, account }: Runner): void {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socket,
    unix_socket_permissions: '0700',
    ...forSmallMachines,
    ...log,
    // Without it, the disks of these machines only claim to have written.
    ...(process.platform === 'darwin' && { wal_sync_method: 'fsync_writethrough' }),
  };
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = '${String(value).replaceAll("'", "''")}'`,
  );
  write(join(data, 'postgresql.conf'), [
    '# Written at each start. Put your own settings into settings.conf in the folder above.',
    ...lines,
    "include_if_exists = '../settings.conf'",
  ]);
  // The folder of the socket is closed, except to other programs of an account that is not ours alone.
  write(join(data, 'pg_hba.conf'), [`local all all ${kind === 'account' ? 'peer map=server' : 'trust'}`]);
  write(join(data, 'pg_ident.conf'), ['server root postgres']);
  function write(path: string, text: string[]): void {
    writeFileSync(path, `${text.join('\n')}\n`, { mode: 0o600 });
    giveTo(account, path);
  }
}
