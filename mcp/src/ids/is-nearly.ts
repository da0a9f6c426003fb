/** A shorter prefix would match too many ids, because ids of the same day begin alike. */
const beginningMin = 12;
const editsMax = 2;

/** Returns whether an id was probably meant: it begins with the given text, or differs in one or two characters. */
export function isNearly(given: string, id: string): boolean {
  const text = given.toLowerCase();
  if (text.length >= beginningMin && id.startsWith(text)) return true;
  return Math.abs(text.length - id.length) <= editsMax && editsBetween(text, id) <= editsMax;
}

/** Returns the number of characters in which two texts differ: changed, left out, added, or swapped with their neighbour (Damerau). */
function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const edits = [last[column]! + 1, next[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1)];
      if (swapped && row > 1 && column > 1) edits.push(before[column - 2]! + 1);
      next.push(Math.min(...edits));
    }
    [before, last] = [last, next];
  }
  return last[b.length]!;
}
