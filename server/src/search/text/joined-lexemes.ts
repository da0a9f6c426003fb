import type { Piece } from './read-pieces.ts';

type Emit = (index: number, lexeme: string) => void;

const joinedLengthMax = 120;
const partsMax = 40;
const joins = new Set(['-', '_', '.', '/', "'", '&', '+', '@', '\\']);
const digitJoins = new Set([',', ':']);
const schemes = new Set(['http', 'https', 'ftp', 'ftps', 'ws', 'wss']);
const startsWithDigit = /^\d/;
const endsWithDigit = /\d$/;
const topLevel = /^(?:\p{L}{2,24}|xn)$/u;

/**
 * Calls `emit` for everything that the pieces are joined to: `inv20260419` for `INV-2026-0419`, an address and its local part, a host and its parent
 * domains, a URL without its scheme. `index` is the piece where it begins.
 */
export function joinedLexemes(pieces: Piece[], emit: Emit): void {
  let from = 0;
  while (from < pieces.length) {
    let end = from + 1;
    while (end < pieces.length && areJoined(pieces, end)) end += 1;
    if (end - from > 1) emitGroup(pieces, from, end, emit);
    from = end;
  }
}

function areJoined(pieces: Piece[], index: number): boolean {
  const [left, right] = [pieces[index - 1]!, pieces[index]!];
  if (left.kind !== 'word' || right.kind !== 'word') return false;
  if (joins.has(right.joint)) return true;
  if (right.joint === '://') return schemes.has(left.word);
  return digitJoins.has(right.joint) && endsWithDigit.test(left.word) && startsWithDigit.test(right.word);
}

function emitGroup(pieces: Piece[], from: number, end: number, emit: Emit): void {
  let start = from;
  for (let index = from + 1; index < end; index += 1) {
    if (pieces[index]!.joint === '://') start = index;
  }
  // Words that are joined by a slash are words of their own, and paths may be long.
  let partStart = start;
  for (let index = start + 1; index <= end; index += 1) {
    if (index < end && pieces[index]!.joint !== '/') continue;
    emitPart(pieces, partStart, index, emit);
    if (partStart === start && index < end && isHost(pieces, start, index)) {
      emit(
        start,
        spell(pieces, start, end, (joint) => joint),
      );
    }
    partStart = index;
  }
  if (end - start <= partsMax && !isHost(pieces, start, end)) {
    emit(
      start,
      spell(pieces, start, end, () => ''),
    );
  }
}

function emitPart(pieces: Piece[], from: number, end: number, emit: Emit): void {
  if (end - from < 2) return;
  const atSign = pieces.findIndex((piece, index) => index > from && index < end && piece.joint === '@');
  if (atSign > from) {
    emit(
      from,
      spell(pieces, from, end, (joint) => joint),
    );
    if (atSign - from > 1)
      emit(
        from,
        spell(pieces, from, atSign, () => ''),
      );
    emitHost(pieces, atSign, end, emit);
  } else if (isHost(pieces, from, end)) {
    emitHost(pieces, from, end, emit);
  } else {
    emit(
      from,
      spell(pieces, from, end, () => ''),
    );
  }
}

function emitHost(pieces: Piece[], from: number, end: number, emit: Emit): void {
  if (!isHost(pieces, from, end)) return;
  for (let index = from; index < end - 1; index += 1) {
    if (index === from || pieces[index]!.joint === '.')
      emit(
        index,
        spell(pieces, index, end, (joint) => joint),
      );
  }
}

function isHost(pieces: Piece[], from: number, end: number): boolean {
  if (end - from < 2 || end - from > partsMax) return false;
  const last = pieces[end - 1]!;
  if (last.joint !== '.' || !topLevel.test(last.word)) return false;
  for (let index = from + 1; index < end; index += 1) {
    if (pieces[index]!.joint !== '.' && pieces[index]!.joint !== '-') return false;
  }
  return true;
}

function spell(pieces: Piece[], from: number, end: number, spellJoint: (joint: string) => string): string {
  let spelled = pieces[from]!.word;
  for (let index = from + 1; index < end && spelled.length < joinedLengthMax; index += 1) {
    spelled += spellJoint(pieces[index]!.joint) + pieces[index]!.word;
  }
  return spelled;
}
