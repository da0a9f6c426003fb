import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of a few megabytes that can be filled to its last byte. */
export interface SmallDisk {
  folder: string;
  fill(): void;
  /** Frees the space that `fill` used. */
  free(): void;
  remove(): void;
}

/** Mounts a file system in memory, which only root may do. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-disk-'));
  run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder);
  // Postgres runs under its own account, and has to reach its folder in here.
  chmodSync(folder, 0o755);
  const ballast = join(folder, 'ballast');
  const remove = () => {
    process.off('exit', remove);
    run('umount', '--lazy', folder);
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', remove);
  return {
    folder,
    fill: () => fillUp(ballast, folder),
    free: () => rmSync(ballast, { force: true }),
    remove,
  };
}

function run(command: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr}`);
}

function fillUp(ballast: string, folder: string): void {
  const file = openSync(ballast, 'w');
  try {
    while (statfsSync(folder).bavail > 0) writeSync(file, Buffer.alloc(4_096, 1));
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}
