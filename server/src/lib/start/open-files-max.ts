import { readFileSync } from 'node:fs';

/** Where the system does not tell; what most systems give a program that asks for no more. */
const openFilesDefault = 1_024;

/** How many files and connections this process may have open at once, as far as the system tells. */
export const openFilesMax = (limits: string = readLimits()): number => {
  const soft = /^Max open files\s+(\S+)/m.exec(limits)?.[1];
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft ?? openFilesDefault);
};

/** A share of what this process may have open, at least one: the rest is for what else it does. */
export const shareOfOpenFiles = (share: number): number => Math.max(1, Math.floor(openFilesMax() * share));

/** Only Linux has this file. Node raises the limit as far as it may when it starts, so it does not change. */
const readLimits = (): string => {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
};
