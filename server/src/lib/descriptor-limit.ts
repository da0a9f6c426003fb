import { readFileSync } from 'node:fs';

/** What systems grant a process at least, where it cannot be asked. */
const usualLimit = 1_024;

/** How many files and connections this process may have open at one time. */
export const descriptorLimit = (): number => {
  try {
    return parseLimits(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    return usualLimit;
  }
};

/** Reads the limit in force from what Linux says of the limits of a process. */
export const parseLimits = (text: string): number => {
  const soft = /^Max open files +(\d+|unlimited)/m.exec(text)?.[1];
  if (soft === undefined) return usualLimit;
  return soft === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(soft);
};
