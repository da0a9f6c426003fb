import type { Piece } from './read-pieces.ts';

/** Pieces that are one thing together, from `from` to before `end`, and the lexeme of it. */
export interface Joined {
  from: number;
  end: number;
  lexeme: string;
}

/** Longer than the longest lexeme, so that the cut form is the same for all lexemes that begin alike. */
const spelledLengthMax = 110;
const partsMax = 40;
const parentsMax = 8;
const joints = new Set(['-', '--', '_', '.', '/', "'", '&', '+', '@', '\\']);
const digitJoints = new Set([',', ':']);
const startsWithDigit = /^\d/;
const endsWithDigit = /\d$/;
const topLevel = /^\p{L}{2,24}$/u;

const asWritten = (joint: string) => joint;
const asOneWord = () => '';

/**
 * Returns everything that the pieces are joined to: `inv20260419` for `INV-2026-0419`, an address and its local part, a host and its
 * parent domains, a host with its path.
 */
export function joinedLexemes(pieces: Piece[]): Joined[] {
  const joinedRuns: Joined[] = [];
  let from = 0;
  while (from < pieces.length) {
    let end = from + 1;
    while (end < pieces.length && areJoined(pieces[end - 1]!, pieces[end]!)) end += 1;
    if (end - from > 1) joinGroup(pieces, from, end, joinedRuns);
    from = end;
  }
  return joinedRuns;
}

function areJoined(left: Piece, right: Piece): boolean {
  if (right.joint === ' ' || left.kind !== 'word' || right.kind !== 'word') return false;
  if (joints.has(right.joint)) return true;
  return digitJoints.has(right.joint) && endsWithDigit.test(left.full) && startsWithDigit.test(right.full);
}

/** Joins the parts between slashes separately and, as a path or a date, together. */
function joinGroup(pieces: Piece[], from: number, end: number, joinedRuns: Joined[]): void {
  let partFrom = from;
  let startsWithHost = false;
  for (let index = from + 1; index <= end; index += 1) {
    if (index < end && pieces[index]!.joint !== '/') continue;
    const isHostPart = joinPart(pieces, partFrom, index, joinedRuns);
    if (partFrom === from) startsWithHost = isHostPart;
    partFrom = index;
  }
  const hasSlash = joinedRuns.at(-1)?.from !== from || joinedRuns.at(-1)?.end !== end;
  if (hasSlash) joinedRuns.push(joined(pieces, from, end, startsWithHost ? asWritten : asOneWord));
}

/** Returns whether the part is a host. */
function joinPart(pieces: Piece[], from: number, end: number, joinedRuns: Joined[]): boolean {
  if (end - from < 2) return false;
  let atSign = from;
  for (let index = from + 1; index < end; index += 1) if (pieces[index]!.joint === '@') atSign = index;
  if (atSign > from) {
    if (atSign - from > 1) joinedRuns.push(joined(pieces, from, atSign, asOneWord));
    joinHost(pieces, atSign, end, joinedRuns);
    joinedRuns.push(joined(pieces, from, end, asWritten));
    return false;
  }
  joinThousands(pieces, from, end, joinedRuns);
  const isHostPart = joinHost(pieces, from, end, joinedRuns);
  if (!isHostPart) joinedRuns.push(joined(pieces, from, end, asOneWord));
  return isHostPart;
}

/** Finds `1249` in `1,249.20`. */
function joinThousands(pieces: Piece[], from: number, end: number, joinedRuns: Joined[]): void {
  const separator = pieces[from + 1]!.joint;
  const decimals = pieces[end - 1]!;
  if (!/^\d{1,3}$/.test(pieces[from]!.full) || !/^[.,]$/.test(separator)) return;
  if (!/^[.,]$/.test(decimals.joint) || decimals.joint === separator || !/^\d\d?$/.test(decimals.full))
    return;
  const groups = pieces.slice(from + 1, end - 1);
  const isNumber = groups.every(({ joint, full }) => joint === separator && /^\d{3}$/.test(full));
  if (isNumber) joinedRuns.push(joined(pieces, from, end - 1, asOneWord));
}

/** Finds the host and the domains it belongs to, the shortest first, so that the host is the last one. */
function joinHost(pieces: Piece[], from: number, end: number, joinedRuns: Joined[]): boolean {
  if (!isHost(pieces, from, end)) return false;
  const nearest = end - 1 - parentsMax;
  for (let index = end - 2; index > from && index >= nearest; index -= 1) {
    if (pieces[index]!.joint === '.') joinedRuns.push(joined(pieces, index, end, asWritten));
  }
  joinedRuns.push(joined(pieces, from, end, asWritten));
  return true;
}

function isHost(pieces: Piece[], from: number, end: number): boolean {
  if (end - from < 2 || end - from > partsMax) return false;
  const last = pieces[end - 1]!;
  if (last.joint !== '.' || !topLevel.test(last.full)) return false;
  for (let index = from + 1; index < end; index += 1) {
    const { joint } = pieces[index]!;
    if (joint !== '.' && joint !== '-' && joint !== '--') return false;
  }
  return true;
}

function joined(pieces: Piece[], from: number, end: number, spellJoint: (joint: string) => string): Joined {
  let lexeme = pieces[from]!.full;
  for (let index = from + 1; index < end && lexeme.length < spelledLengthMax; index += 1) {
    lexeme += spellJoint(pieces[index]!.joint) + pieces[index]!.full;
  }
  return { from, end, lexeme };
}
