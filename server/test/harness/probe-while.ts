import { setTimeout as pause } from 'node:timers/promises';

/** What some work came to, and the longest that a request took meanwhile. */
export interface Probed<T> {
  value: T;
  worstMs: number;
}

/** Asks for `url` again and again, one request at a time, while `work` runs. */
export const probeWhile = async <T>(url: string, work: () => Promise<T>): Promise<Probed<T>> => {
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
};
