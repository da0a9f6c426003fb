/** The versions of a message differ if more of the words of one are missing in the other. */
const missingShareMax = 0.3;
/** With fewer words, a single different word means nothing. */
const wordsMin = 4;

/** Returns whether the formatted and the plain version of a message say visibly different things. */
export function doTextsDiffer(formatted: string, plain: string): boolean {
  const [one, other] = [splitWords(formatted), splitWords(plain)];
  return isMissing(one, other) || isMissing(other, one);
}

function isMissing(words: readonly string[], among: readonly string[]): boolean {
  if (words.length < wordsMin) return false;
  const known = new Set(among);
  return words.filter((word) => !known.has(word)).length > words.length * missingShareMax;
}

const hostLike = /[\p{L}\p{N}]\.\p{L}{2}/u;

/** Hosts and addresses are written in many ways, and the targets of links are in one version only. Quoting marks are no words. */
function splitWords(text: string): string[] {
  const pieces = text.toLowerCase().split(/\s+/);
  return pieces
    .filter((piece) => !hostLike.test(piece))
    .flatMap((piece) => piece.match(/[\p{L}\p{N}]+/gu) ?? []);
}
