import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A disk of which copies are made at one instant. It is a file on XFS, which shares the blocks of a copy, behind a loop device that keeps
 * nothing in memory. So a copy has what had reached the disk, as after a loss of power, and nothing that the system still held back.
 */
export interface SnapshotDisk {
  folder: string;
  /** Writes to the disk what the system still holds back. */
  flush(): void;
  /** Copies the disk at one instant, and returns the folder of the copy and what removes it. */
  copy(): { folder: string; remove(): void };
  remove(): void;
}

const diskSize = '3G';
const outerSize = '12G';

/** Makes such a disk, which only root may do. It takes as much room as is written. */
export function makeSnapshotDisk(): SnapshotDisk {
  const base = mkdtempSync(join(tmpdir(), 'postrider-snapshots-'));
  const outer = join(base, 'outer');
  const ends: (() => void)[] = [() => rmSync(base, { recursive: true, force: true })];
  const remove = () => {
    process.off('exit', remove);
    for (const end of ends.splice(0).reverse()) end();
  };
  process.once('exit', remove);
  run('truncate', '-s', outerSize, join(base, 'outer.img'));
  run('mkfs.xfs', '-q', '-m', 'reflink=1', join(base, 'outer.img'));
  mkdirSync(outer);
  run('mount', '-o', 'loop', join(base, 'outer.img'), outer);
  ends.push(() => run('umount', '--lazy', outer));
  const image = join(outer, 'disk.img');
  run('truncate', '-s', diskSize, image);
  run('mkfs.ext4', '-q', image);
  const mounted = mount(image, join(base, 'disk'));
  ends.push(mounted.unmount);
  let copies = 0;
  return {
    folder: mounted.folder,
    flush: () => void run('sync', '--file-system', mounted.folder),
    copy: () => {
      const name = `copy-${++copies}`;
      run('cp', '--reflink=always', image, join(outer, name));
      const copy = mount(join(outer, name), join(base, name));
      return {
        folder: copy.folder,
        remove: () => {
          copy.unmount();
          rmSync(join(outer, name), { force: true });
        },
      };
    },
    remove,
  };
}

function mount(image: string, folder: string): { folder: string; unmount(): void } {
  mkdirSync(folder);
  const device = run('losetup', '--direct-io=on', '--find', '--show', image).trim();
  run('mount', device, folder);
  return {
    folder,
    unmount: () => {
      run('umount', '--lazy', folder);
      run('losetup', '--detach', device);
    },
  };
}

function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr}`);
  return stdout;
}
