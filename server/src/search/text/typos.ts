const correctable = /^\p{L}{4,24}$/u;

/**
 * Returns hashes (signed, 32 bits) of the word and of the word without each one of its characters, mixed with the workspace. Two words
 * that differ by one typo (a letter too many, too few, wrong, or swapped with its neighbour) share at least one. Returns none for words
 * under four letters and for anything with digits, where a near match would be wrong.
 */
export function variantsOf(workspaceId: string, word: string): number[] {
  if (!correctable.test(word)) return [];
  const seed = hash(0x811c9dc5, workspaceId);
  const found = new Set([hash(seed, word)]);
  const letters = [...word];
  for (let left = 0; left < letters.length; left += 1)
    found.add(hash(seed, letters.toSpliced(left, 1).join('')));
  return [...found];
}

// FNV-1a over UTF-16 units, with a final mix, because close words must not have close hashes.
function hash(seed: number, text: string): number {
  let value = seed;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) | 0;
}

/** Returns whether one typo turns a word into the other: one letter inserted, left out, replaced, or swapped with its neighbour. */
export function editDistanceIsOne(left: string, right: string): boolean {
  if (left === right) return false;
  const [short, long] = [[...left], [...right]].toSorted((a, b) => a.length - b.length) as [
    string[],
    string[],
  ];
  if (long.length - short.length > 1) return false;
  let from = 0;
  while (from < short.length && short[from] === long[from]) from += 1;
  let end = 0;
  while (end < short.length - from && short[short.length - 1 - end] === long[long.length - 1 - end]) end += 1;
  const [shortRest, longRest] = [short.length - from - end, long.length - from - end];
  if (longRest === 1 && shortRest <= 1) return true;
  return (
    shortRest === 2 && longRest === 2 && short[from] === long[from + 1] && short[from + 1] === long[from]
  );
}

/**
 * Returns whether at most two typos turn a word into the other. A letter that was swapped with its neighbour is not changed by another
 * typo.
 */
export function isWithinTwoTypos(left: string, right: string): boolean {
  const [one, other] = [[...left], [...right]];
  if (Math.abs(one.length - other.length) > 2) return false;
  let [beforeLast, last]: [number[], number[]] = [
    [],
    Array.from({ length: other.length + 1 }, (_, at) => at),
  ];
  for (const [row, letter] of one.entries()) {
    const next = [row + 1];
    for (const [at, compared] of other.entries()) {
      let least = Math.min(next[at]! + 1, last[at + 1]! + 1, last[at]! + (letter === compared ? 0 : 1));
      if (letter === other[at - 1] && compared === one[row - 1])
        least = Math.min(least, beforeLast[at - 1]! + 1);
      next.push(least);
    }
    if (Math.min(...next) > 2) return false;
    [beforeLast, last] = [last, next];
  }
  return last[other.length]! <= 2;
}
