import { execFileSync } from 'node:child_process';

/** The memory that a process takes now, in MB. */
export const memoryMbOf = (pid: number): number =>
  Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1_024);
