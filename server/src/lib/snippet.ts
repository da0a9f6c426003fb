const snippetLengthMax = 200;
/** Newsletters pad their preview with thousands of invisible characters, so the start of the text is read generously. */
const readLengthMax = 8_000;
/** Usually enough, and much less to look at. */
const readLengthUsual = 800;

const invisible = /\u034f|[\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
// Joiners belong to the characters around them; between spaces they are padding.
const strayJoiner = /(?<![^\s\u200c\u200d])[\u200c\u200d]+|[\u200c\u200d]+(?![^\s\u200c\u200d])/gu;
// A single space is left as it is, which is most of them.
const blank = / [\s\p{Cc}]+|(?! )[\s\p{Cc}]+/gu;
/** How far beyond the cut is looked for the end of a character. */
const clusterLength = 64;
/** Latin, Greek and Cyrillic letters as most texts have them: each is a character by itself, and finding the others is slow. */
const singleCharacters = /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u2010-\u2027]*$/;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The first 200 characters (UTF-16 units) of a text on one line: white space folded, padding and controls gone, never
 * ending inside what a reader sees as one character; empty for null.
 */
export function makeSnippet(text: string | null): string {
  if (text === null) return '';
  const usual = foldLine(text.slice(0, readLengthUsual));
  const isEnough = usual.length > snippetLengthMax + clusterLength || text.length <= readLengthUsual;
  const line = isEnough ? usual : foldLine(text.slice(0, readLengthMax));
  if (line.length <= snippetLengthMax) return line;
  return cutAtGrapheme(line).trimEnd();
}

const foldLine = (text: string): string =>
  text.replace(invisible, '').replace(blank, ' ').replace(strayJoiner, '').replace(/ {2,}/g, ' ').trim();

function cutAtGrapheme(line: string): string {
  if (singleCharacters.test(line.slice(0, snippetLengthMax + 1))) return line.slice(0, snippetLengthMax);
  // Only what surrounds the cut matters; a cluster that is longer than the snippet is cut between code points.
  let end = 0;
  for (const { index, segment } of graphemes.segment(line.slice(0, snippetLengthMax + clusterLength))) {
    if (index + segment.length > snippetLengthMax) break;
    end = index + segment.length;
  }
  return end > 0 ? line.slice(0, end) : line.slice(0, snippetLengthMax).replace(/[\ud800-\udbff]$/, '');
}
