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
