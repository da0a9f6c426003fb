import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isFileError } from './file-errors.ts';

/** The room that is left on the disks that the server writes to. */
export interface DiskSpace {
  /** Whether less than the reserve is free on one of them. While it is, it is measured anew, so that room which was made counts at once. */
  isShort(): Promise<boolean>;
  /** Bytes that are free, by what is kept there; empty where nothing is kept on a disk of this machine. */
  freeBytes(): ReadonlyMap<string, number>;
  close(): void;
}

/** What is kept where, and the reserve; null for the usual one. */
export interface DiskSpaceSettings {
  folders: Record<string, string>;
  reserveBytes: number | null;
}

/** How often free space is measured, how often at most while it is short, and the usual reserve: never more than a share of the disk. */
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

/** Looks at the disks now, and then every second until it is closed, so that nobody else has to. `onLook` hears what was found. */
export const watchDiskSpace = async (
  { folders, reserveBytes }: DiskSpaceSettings,
  onLook: (free: ReadonlyMap<string, number>) => void = () => {},
): Promise<DiskSpace> => {
  let free = new Map<string, number>();
  let short = false;
  let lookedAtMs = 0;
  let looking: Promise<void> | null = null;
  const measureAll = async () => {
    const found = await Promise.all(Object.values(folders).map(measure));
    free = new Map(Object.keys(folders).map((name, index) => [name, found[index]?.freeBytes ?? 0]));
    short = found.some(({ freeBytes, sizeBytes }) => freeBytes < (reserveBytes ?? usualReserve(sizeBytes)));
    lookedAtMs = performance.now();
    onLook(free);
  };
  const look = (): Promise<void> => {
    looking ??= measureAll().finally(() => {
      looking = null;
    });
    return looking;
  };
  await look();
  // A disk that does not answer is not short of space; what is written there fails, and says why.
  const timer = setInterval(() => void look().catch(() => {}), diskSpaceDefaults.lookMs);
  timer.unref();
  return {
    isShort: async () => {
      if (short && performance.now() - lookedAtMs > diskSpaceDefaults.lookAgainMs) await look();
      return short;
    },
    freeBytes: () => free,
    close: () => clearInterval(timer),
  };
};

const usualReserve = (sizeBytes: number): number =>
  Math.min(diskSpaceDefaults.reserveBytes, sizeBytes * diskSpaceDefaults.reserveShare);

/** A folder that is made with its first file is on the disk of the one above. */
const measure = async (folder: string): Promise<{ freeBytes: number; sizeBytes: number }> => {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize };
  } catch (error) {
    if (isFileError(error, 'ENOENT') && dirname(folder) !== folder) return measure(dirname(folder));
    throw error;
  }
};
