import { execFileSync } from 'node:child_process';

/** Returns the memory that a process uses now, in MB. */
export function memoryMbOf(pid: number): number {
  return Math.round(
    Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1_024,
  );
}
