import { readFileSync } from 'node:fs';

const tickMs = 10;

/**
 * Returns the milliseconds for which the main thread of a process has had a processor, in steps of 10. Returns null where the system does
 * not tell, which Linux does.
 */
export function mainThreadMsOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8');
    // The name of the command, in parentheses, may have spaces.
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return ((user ?? 0) + (system ?? 0)) * tickMs;
  } catch {
    return null;
  }
}
