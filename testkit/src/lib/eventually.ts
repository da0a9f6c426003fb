import { setTimeout as sleep } from 'node:timers/promises';

/** How `eventually` looks, and when it gives up. */
export interface Patience {
  /** The least pause between two looks. A pause is a quarter of the time waited so far, up to half a second: looks cost processor time. */
  pauseMs?: number;
  /** For what has to be there in time. By default only what hangs is given up, because a busy machine is slow and not wrong. */
  withinMs?: number;
}

/** Calls `look` until it finds something, and returns that. Rejects after `withinMs`. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | null | undefined | false>,
  { pauseMs = 25, withinMs = 300_000 }: Patience = {},
): Promise<T> {
  const since = performance.now();
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    const waitedMs = performance.now() - since;
    if (waitedMs > withinMs) throw new Error(`Waited ${withinMs} ms in vain for ${what}.`);
    await sleep(Math.max(pauseMs, Math.min(waitedMs / 4, 500)));
  }
}
