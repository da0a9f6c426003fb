import { setTimeout as sleep } from 'node:timers/promises';

/** Calls `look` every `pauseMs` until it finds something, and returns that. Rejects after `timeoutMs`. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | null | undefined | false>,
  timeoutMs = 300_000,
  pauseMs = 25,
): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (performance.now() > until) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}.`);
    await sleep(pauseMs);
  }
}
