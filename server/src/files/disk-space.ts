import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isFileError } from './files.ts';

/** The free space on the disks that the server writes to. */
export interface DiskSpace {
  /** Whether less than the reserve is free on one of them. */
  readonly isShort: boolean;
  /** Returns the free bytes by purpose; empty if nothing is stored on a disk of this machine. */
  freeBytes(): ReadonlyMap<string, number>;
  close(): void;
}

/** The folders by purpose, and the reserve; null for the default one. */
export interface DiskSpaceSettings {
  folders: Record<string, string>;
  reserveBytes: number | null;
}

/**
 * How often free space is measured, how often while it is short, so that freed space counts at once, and the default reserve, which is
 * never more than a share of the disk.
 */
export const diskSpaceDefaults: {
  lookMs: number;
  lookAgainMs: number;
  reserveBytes: number;
  reserveShare: number;
} = {
  lookMs: 1_000,
  lookAgainMs: 50,
  reserveBytes: 134_217_728,
  reserveShare: 0.05,
};

/** Measures the disks now and again and again until it is closed, so that no other code has to. `onLook` is called with the results. */
export async function watchDiskSpace(
  { folders, reserveBytes }: DiskSpaceSettings,
  onLook: (free: ReadonlyMap<string, number>) => void = () => {},
): Promise<DiskSpace> {
  let free = new Map<string, number>();
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  const space = {
    isShort: false,
    freeBytes: () => free,
    close: () => {
      isClosed = true;
      clearTimeout(timer);
    },
  };
  const look = async () => {
    const found = await Promise.all(Object.values(folders).map(measure));
    free = new Map(Object.keys(folders).map((name, index) => [name, found[index]?.freeBytes ?? 0]));
    space.isShort = found.some(
      ({ freeBytes, sizeBytes }) => freeBytes < (reserveBytes ?? usualReserve(sizeBytes)),
    );
    onLook(free);
  };
  const lookLater = () => {
    if (isClosed) return;
    const { lookMs, lookAgainMs } = diskSpaceDefaults;
    // A disk that does not respond does not count as short of space. Writes to it fail with an error that says why.
    const lookNow = () =>
      void look()
        .catch(() => {})
        .finally(lookLater);
    timer = setTimeout(lookNow, space.isShort ? Math.min(lookMs, lookAgainMs) : lookMs).unref();
  };
  await look();
  lookLater();
  return space;
}

function usualReserve(sizeBytes: number): number {
  return Math.min(diskSpaceDefaults.reserveBytes, sizeBytes * diskSpaceDefaults.reserveShare);
}

/** A folder that is created with its first file is on the disk of its parent. */
async function measure(folder: string): Promise<{ freeBytes: number; sizeBytes: number }> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
  } catch (error) {
    if (isFileError(error, 'ENOENT') && dirname(folder) !== folder) return measure(dirname(folder));
    throw error;
  }
}
