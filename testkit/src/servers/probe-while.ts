import { setTimeout as pause } from 'node:timers/promises';

/** The result of some work, and the longest time that a request took meanwhile. */
export interface Probed<T> {
  value: T;
  worstMs: number;
}

/** Requests `url` again and again, one request at a time, while `work` runs. */
export async function probeWhile<T>(url: string, work: () => Promise<T>): Promise<Probed<T>> {
  let worstMs = 0;
  let isOver = false;
  const probe = async () => {
    while (!isOver) {
      const from = performance.now();
      await (await fetch(url)).arrayBuffer();
      worstMs = Math.max(worstMs, Math.round(performance.now() - from));
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
