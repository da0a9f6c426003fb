/** A map that keeps what was set lately. */
export interface RecentMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

/**
 * Keeps at most `keysMax` keys: a key is forgotten at the earliest when half as many others were set since it was. In two
 * generations, since to find the oldest key of one large map costs more the more keys were deleted from it.
 */
export const createRecentMap = <Value>(keysMax: number): RecentMap<Value> => {
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
};
