const snippetLengthMax = 200;
/** Newsletters pad their preview with thousands of invisible characters, so the start of the text is read generously. */
const readLengthMax = 8_000;
/** Usually enough, and much less work. */
const readLengthUsual = 800;

const invisible = /\u034f|[\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
// Joiners belong to the characters around them; between spaces they are padding.
const strayJoiner = /(?<![^\s\u200c\u200d])[\u200c\u200d]+|[\u200c\u200d]+(?![^\s\u200c\u200d])/gu;
// Most white space is a single space, which is left as it is.
const blank = / [\s\p{Cc}]+|(?! )[\s\p{Cc}]+/gu;
/** How far beyond the cut the end of a character is searched for. */
const clusterLength = 64;
/** The Latin, Greek and Cyrillic letters of most texts. Each is a character by itself, so these need no slow search for characters. */
const singleCharacters = /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u2010-\u2027]*$/;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Returns the first 200 characters (UTF-16 units) of a text on one line, with white space folded and without padding and controls. It never
 * ends inside what a reader sees as one character. Returns an empty text for null.
 */
export function makeSnippet(text: string | null): string {
  if (text === null) return '';
  const usual = foldLine(text.slice(0, readLengthUsual));
  const isEnough = usual.length > snippetLengthMax + clusterLength || text.length <= readLengthUsual;
  const line = isEnough ? usual : foldLine(text.slice(0, readLengthMax));
  if (line.length <= snippetLengthMax) return line;
  return cutAtGrapheme(line).trimEnd();
}

function foldLine(text: string): string {
  return text
    .replace(invisible, '')
    .replace(blank, ' ')
    .replace(strayJoiner, '')
    .replace(/ {2,}/g, ' ')
    .trim();
}

function cutAtGrapheme(line: string): string {
  if (singleCharacters.test(line.slice(0, snippetLengthMax + 1))) return line.slice(0, snippetLengthMax);
  // Text far beyond the cut does not matter. A cluster that is longer than the snippet is cut between code points.
  let end = 0;
  for (const { index, segment } of graphemes.segment(line.slice(0, snippetLengthMax + clusterLength))) {
    if (index + segment.length > snippetLengthMax) break;
    end = index + segment.length;
  }
  return end > 0 ? line.slice(0, end) : line.slice(0, snippetLengthMax).replace(/[\ud800-\udbff]$/, '');
}
