import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const tickMs = 10;

/** The result of some work, and the longest time that a request was held up by the server meanwhile. */
export interface Probed<T> {
  value: T;
  worstMs: number;
}

/**
 * Requests `url` of the process `pid` again and again, one request at a time, while `work` runs. A request is also late if other programs
 * have the processor. Therefore none counts as held up for longer than the time for which the main thread of the server computed.
 */
export async function probeWhile<T>(url: string, pid: number, work: () => Promise<T>): Promise<Probed<T>> {
  let worstMs = 0;
  let isOver = false;
  const probe = async () => {
    while (!isOver) {
      const [from, computed] = [performance.now(), readMainThreadMs(pid)];
      await (await fetch(url)).arrayBuffer();
      const tookMs = Math.round(performance.now() - from);
      const now = readMainThreadMs(pid);
      const computedMs = now === null || computed === null ? tookMs : now - computed;
      worstMs = Math.max(worstMs, Math.min(tookMs, computedMs));
      await pause(15);
    }
  };
  const probing = probe();
  try {
    const value = await work();
    return { value, worstMs };
  } finally {
    isOver = true;
    await probing;
  }
}

/**
 * Returns the milliseconds for which the main thread of a process has had a processor, in steps of 10. Returns null where the system does
 * not tell, which Linux does.
 */
function readMainThreadMs(pid: number): number | null {
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
