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
