const unstorablePattern = /[\0\p{Cs}]/u;
const unstorableEverywhere = /[\0\p{Cs}]/gu;

/** Returns the text without NUL and lone surrogates, which no Postgres text or UTF-8 file can hold. Other text is returned unchanged. */
export function cleanText(text: string): string {
  return unstorablePattern.test(text) ? text.replace(unstorableEverywhere, '') : text;
}

/** A text that was cut, and whether anything is missing from it. */
export interface CutText {
  text: string;
  truncated: boolean;
}

const encoder = new TextEncoder();

/** Returns the longest beginning of a text that fits into `bytesMax` bytes of UTF-8 without splitting a character. */
export function cutBytes(text: string, bytesMax: number): CutText {
  // No UTF-16 unit becomes more than three bytes of UTF-8, so most texts need no counting.
  if (text.length * 3 <= bytesMax) return { text, truncated: false };
  const head = text.slice(0, bytesMax + 1);
  const { read } = encoder.encodeInto(head, new Uint8Array(bytesMax));
  return read === text.length ? { text, truncated: false } : { text: text.slice(0, read), truncated: true };
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Returns plain text as HTML, for use between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter);
}

const directionMarks = /[\u061c\u200e\u200f]/g;
const directionControls = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Returns a text for people who decide by what they read. Characters that change the direction of the following text, so that `gpj.exe`
 * reads as `exe.jpg`, appear as `[U+202E]`. Marks without a width are left out, because honest texts in Arabic and Hebrew contain them.
 */
export function markDirections(text: string): string {
  return text
    .replace(directionMarks, '')
    .replace(directionControls, (control) => `[U+${control.charCodeAt(0).toString(16).toUpperCase()}]`);
}

/**
 * Returns the one spelling by which names of labels are compared and sorted. `Ärger` and `ÄRGER` are the same name, with the umlaut as one
 * character or as two. So are `Straße`, `STRAẞE` and `STRASSE`: `ẞ` becomes `ß` in lower case, and `ß` becomes `SS` in upper case.
 */
export function labelNameKey(name: string): string {
  return name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

const filenameBytesMax = 255;
const extensionLengthMax = 16;

const separators = /[/\\]+/g;
// Controls end header lines, and format characters such as U+202E make "gpj.exe" read as "exe.jpg".
const unshowable = /(?!\s|\u200c|\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Returns a file name that is safe to store, show and put into a header: no path, no invisible characters, no white space around it, at
 * most 255 bytes of UTF-8 with its extension kept. Returns `fallback` if nothing is left of it.
 */
export function cleanFilename(name: string | null | undefined, fallback = 'attachment'): string {
  const cleaned = (name ?? '')
    .slice(0, 4096)
    .replace(unshowable, '')
    .replace(/\s+/g, ' ')
    .replace(separators, '_')
    .trim();
  const short = cutKeepingExtension(cleaned);
  return /^[._\s]*$/.test(short) ? fallback : short;
}

/** Returns the name under which a file is offered for download: cleaned, and never a hidden file on the reader's disk. */
export function downloadFilename(name: string | null | undefined): string {
  return cleanFilename(name).replace(/^\.+/, '_');
}

function cutKeepingExtension(name: string): string {
  if (Buffer.byteLength(name) <= filenameBytesMax) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= extensionLengthMax ? name.slice(dot) : '';
  const room = new Uint8Array(filenameBytesMax - Buffer.byteLength(extension));
  const { read } = encoder.encodeInto(name, room);
  return name.slice(0, read).trimEnd() + extension;
}

const snippetLengthMax = 200;
/** Newsletters pad their preview with thousands of invisible characters, so the start of the text is read generously. */
const readLengthMax = 8_000;
/** Usually enough, and much less work. */
const readLengthUsual = 800;

const invisible = /\u034f|[\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
// Joiners belong to the characters around them; between spaces they are padding.
const strayJoiner = /(?<![^\s\u200c\u200d])[\u200c\u200d]+|[\u200c\u200d]+(?![^\s\u200c\u200d])/gu;
// Most white space is a single space, which needs no change.
const blank = / [\s\p{Cc}]+|(?! )[\s\p{Cc}]+/gu;
/** How far beyond the cut to search for the end of a character. */
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

/**
 * A long body is normalized in pieces of this many characters, and encoding a piece makes it flat. V8 would keep the result of a
 * replacement as a tree of its parts, about 32 bytes for each line.
 */
const pieceLength = 65_536;

/** Returns a body with CRLF line ends and without lone surrogates, which UTF-8 cannot represent. */
export function normalizeBody(body: string): string {
  if (body.length <= pieceLength) return withCrlf(body).toWellFormed();
  const pieces: Buffer[] = [];
  for (let from = 0; from < body.length; ) {
    const to = endOfPiece(body, from + pieceLength);
    pieces.push(Buffer.from(withCrlf(body.slice(from, to))));
    from = to;
  }
  return Buffer.concat(pieces).toString();
}

/** Returns where a piece ends, without splitting a CRLF or a surrogate pair. */
function endOfPiece(body: string, end: number): number {
  const [last = '', next = ''] = [body[end - 1], body[end]];
  return (last === '\r' && next === '\n') || /[\ud800-\udbff]/.test(last) ? end + 1 : end;
}

function withCrlf(text: string): string {
  return text.replace(/\r\n?|\n/g, '\r\n');
}
