import { createRecentMap } from './recent-map.ts';

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
