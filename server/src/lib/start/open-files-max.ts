import { readFileSync } from 'node:fs';

/** Used if the system does not report a limit. Most systems give this to a program that asks for no more. */
const openFilesDefault = 1_024;

/** Returns how many files and connections this process may have open at once, according to the system. */
export function openFilesMax(limits: string = readLimits()): number {
  const soft = /^Max open files\s+(\S+)/m.exec(limits)?.[1];
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft ?? openFilesDefault);
}

/** Returns a share of the files that this process may have open, at least one. The rest is for its other work. */
export function shareOfOpenFiles(share: number): number {
  return Math.max(1, Math.floor(openFilesMax() * share));
}

/** Only Linux has this file. Node raises the limit as far as it may when it starts, so it does not change. */
function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
