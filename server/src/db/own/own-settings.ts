import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Runner } from './choose-runner.ts';
import { giveTo } from './own-files.ts';

/** For a small machine. Whoever has a larger one sets more in `settings.conf`. */
const forSmallMachines = {
  shared_buffers: '64MB',
  max_connections: 40,
  // To compile a statement takes longer than to run it.
  jit: 'off',
  // Three processes more would read ahead what is in memory anyway.
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
    // Without it the disks of these machines only say that they have written.
    ...(process.platform === 'darwin' && { wal_sync_method: 'fsync_writethrough' }),
  };
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = '${String(value).replaceAll("'", "''")}'`,
  );
  write(join(data, 'postgresql.conf'), [
    '# Written at each start. Settings of your own belong into settings.conf in the folder above.',
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
