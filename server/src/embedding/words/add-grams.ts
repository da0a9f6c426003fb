const offset = 0x811c9dc5;
const prime = 0x01000193;
const gramsMin = 3;
const gramsMax = 4;
/** Scripts without spaces have words of one or two characters. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * Adds the character n-grams of a token to a vector of hashed features, with its weight spread over them, so that tokens that are written
 * alike have vectors alike. The beginning and the end of the token count as characters.
 */
export function addGrams(
  token: string,
  weight: number,
  vector: Float64Array,
  start: number,
  length: number,
): void {
  const isDense = dense.test(token);
  const text = isDense ? token : `<${token}>`;
  const [shortest, longest] = isDense ? [1, 2] : [gramsMin, gramsMax];
  const count = gramCount(text.length, shortest, longest);
  const share = weight / Math.sqrt(count + 1);
  for (let from = 0; from < text.length; from += 1) {
    let hash = offset;
    for (let to = from; to < text.length && to - from < longest; to += 1) {
      hash = Math.imul(hash ^ text.charCodeAt(to), prime);
      if (to - from + 1 >= shortest) addHash(hash, share, vector, start, length);
    }
  }
  let whole = prime;
  for (let at = 0; at < text.length; at += 1) whole = Math.imul(whole ^ text.charCodeAt(at), prime);
  addHash(whole, share, vector, start, length);
}

function gramCount(characters: number, shortest: number, longest: number): number {
  let count = 0;
  for (let size = shortest; size <= longest; size += 1) count += Math.max(0, characters - size + 1);
  return count;
}

/** The sign keeps features that share a place from adding up. */
function addHash(hash: number, share: number, vector: Float64Array, start: number, length: number): void {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  const place = (mixed >>> 8) % length;
  vector[start + place]! += (mixed & 1) === 0 ? share : -share;
}
