import { useSyncExternalStore } from 'react';

const tickMs = 30_000;
const watchers = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** Returns the time, which moves on every half minute. All times of a page share one timer. */
export function useNow(): number {
  return useSyncExternalStore(watch, () => now);
}

function watch(onChange: () => void): () => void {
  if (watchers.size === 0) {
    now = Date.now();
    timer = setInterval(tick, tickMs);
  }
  watchers.add(onChange);
  return () => {
    watchers.delete(onChange);
    if (watchers.size === 0) clearInterval(timer);
  };
}

function tick(): void {
  now = Date.now();
  for (const watcher of watchers) watcher();
}
