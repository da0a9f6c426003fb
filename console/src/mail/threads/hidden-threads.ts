import { useSyncExternalStore } from 'react';
import { keepForPerson } from '../../lib/session.ts';

const watchers = new Set<() => void>();
let hidden: ReadonlySet<string> = new Set();

/** Hides threads from all lists while they are being deleted, whatever the server still responds with. */
export function hideThreads(ids: Iterable<string>): void {
  set(new Set([...hidden, ...ids]));
}

/** Shows threads again. */
export function showThreads(ids: Iterable<string>): void {
  const shown = new Set(ids);
  set(new Set([...hidden].filter((id) => !shown.has(id))));
}

/** Returns the ids of the threads that are hidden. */
export function useHiddenThreads(): ReadonlySet<string> {
  return useSyncExternalStore(watch, () => hidden);
}

function set(next: ReadonlySet<string>): void {
  hidden = next;
  for (const watcher of watchers) watcher();
}

function watch(onChange: () => void): () => void {
  watchers.add(onChange);
  return () => watchers.delete(onChange);
}

keepForPerson({ clear: () => set(new Set()) });
