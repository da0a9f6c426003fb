import { useSyncExternalStore } from 'react';

/** A value outside of the components that show it. */
export interface Store<Value> {
  get(): Value;
  set(next: Value): void;
  /** Returns the value, and draws the component again when it changes. */
  useValue(): Value;
  /** Calls a function at each change, until the returned function is called. */
  watch(onChange: () => void): () => void;
}

/** Creates such a value. */
export function createStore<Value>(initial: Value): Store<Value> {
  const watchers = new Set<() => void>();
  let current = initial;
  const get = () => current;
  function watch(onChange: () => void) {
    watchers.add(onChange);
    return () => void watchers.delete(onChange);
  }
  return {
    get,
    set(next) {
      current = next;
      for (const watcher of watchers) watcher();
    },
    useValue: () => useSyncExternalStore(watch, get),
    watch,
  };
}
