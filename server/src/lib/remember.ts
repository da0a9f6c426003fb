import { createRecentMap } from './recent-map.ts';

/** A function of a text that is asked for the same few again and again, with what it answered lately kept. */
export const remember = <Value>(
  valuesMax: number,
  compute: (text: string) => Value,
): ((text: string) => Value) => {
  const known = createRecentMap<{ value: Value }>(valuesMax);
  return (text) => {
    const kept = known.get(text);
    if (kept) return kept.value;
    const value = compute(text);
    known.set(text, { value });
    return value;
  };
};
