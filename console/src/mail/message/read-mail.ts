/* Readings of what came with a mail and may be anything: its text, its header, and the word of the page that shows it. */

/** A piece of a text; with `href`, a link. */
export interface TextPiece {
  text: string;
  href: string | null;
}

// Linear: each alternative begins with fixed letters, and ends at the first blank or bracket.
const linkPattern = /\b(?:https?:\/\/|mailto:)[^\s<>"'`{}|\\^]{1,2048}/gi;
const trailing = /[.,;:!?'")\]}…]+$/;
const safeProtocols = new Set(['http:', 'https:', 'mailto:']);

/** Cuts a text into plain pieces and links. Only `http:`, `https:` and `mailto:` become links; together the pieces are the text. */
export function linkify(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(linkPattern)) {
    const link = withoutTrailing(found);
    if (!isSafe(link)) continue;
    if (index > end) pieces.push({ text: text.slice(end, index), href: null });
    pieces.push({ text: link, href: link });
    end = index + link.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), href: null });
  return pieces;
}

/** A full stop after a link belongs to the sentence. A closing bracket belongs to the link if it was opened in it. */
function withoutTrailing(link: string): string {
  const cut = link.replace(trailing, '');
  const next = link[cut.length];
  const isBalanced = next === ')' && cut.split('(').length > cut.split(')').length;
  return isBalanced ? `${cut})` : cut;
}

function isSafe(link: string): boolean {
  return URL.canParse(link) && safeProtocols.has(new URL(link).protocol);
}

/** A field of a header, unfolded (RFC 5322, section 2.2.3). */
export interface HeaderField {
  /** Its place among the fields, from 0. */
  place: number;
  name: string;
  value: string;
}

/** Returns the fields of the header of a mail in their order. Lines that belong to no field are left out. */
export function readHeaders(source: string): HeaderField[] {
  const end = /\r?\n\r?\n/.exec(source)?.index ?? source.length;
  const fields: HeaderField[] = [];
  for (const line of source.slice(0, end).split(/\r?\n/)) {
    const last = fields.at(-1);
    if (/^[ \t]/.test(line)) {
      if (last) last.value += ` ${line.trim()}`;
      continue;
    }
    const colon = line.indexOf(':');
    if (colon < 1) continue;
    fields.push({
      place: fields.length,
      name: line.slice(0, colon).trim(),
      value: line.slice(colon + 1).trim(),
    });
  }
  return fields;
}

const frameHeightMin = 40;

/** Returns the height of a frame from the message of its page, within limits; null for anything that is not from our script. */
export function readFrameHeight(told: unknown, heightMax: number): number | null {
  if (typeof told !== 'object' || told === null || !('mailHeight' in told)) return null;
  const { mailHeight: height } = told;
  if (typeof height !== 'number' || !Number.isFinite(height) || height <= 0) return null;
  return Math.min(heightMax, Math.max(frameHeightMin, Math.ceil(height)));
}
