/** The memory of a server between calls, with one part for each declaration. Two servers in one process share none of it. */
export type Memory = Map<unknown, unknown>;

/** Declares something of which every server keeps one, such as a cache. Returns the function that finds it, or creates it at first use. */
export function perServer<T>(create: () => T): (deps: { memory: Memory }) => T {
  const find = ({ memory }: { memory: Memory }): T => {
    if (!memory.has(find)) memory.set(find, create());
    return memory.get(find) as T;
  };
  return find;
}

/** A map that keeps recently set values. */
export interface RecentMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

/**
 * Creates a map of at most `keysMax` keys. A key is kept at least until half as many others have been set after it. There are two
 * generations, because finding the oldest key of one large map costs more the more keys were deleted from it.
 */
export function createRecentMap<Value>(keysMax: number): RecentMap<Value> {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  return {
    get: (key) => young.get(key) ?? old.get(key),
    set: (key, value) => {
      young.set(key, value);
      if (young.size * 2 < keysMax) return;
      old = young;
      young = new Map();
    },
    delete: (key) => {
      young.delete(key);
      old.delete(key);
    },
  };
}

/** Returns a function that keeps its recent results, for callers that need the results of the same few texts again and again. */
export function remember<Value>(
  valuesMax: number,
  compute: (text: string) => Value,
): (text: string) => Value {
  const known = createRecentMap<{ value: Value }>(valuesMax);
  return (text) => {
    const kept = known.get(text);
    if (kept) return kept.value;
    const value = compute(text);
    known.set(text, { value });
    return value;
  };
}
