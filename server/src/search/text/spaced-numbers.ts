import type { Joined } from './joined-lexemes.ts';
import type { Piece } from './read-pieces.ts';

const digits = /^\d{1,12}$/;
const ibanStart = /^[a-z]{2}\d\d$/;
const ibanGroup = /^[a-z0-9]{1,4}$/;
const gap = /^[ \u00a0\u202f()./-]{1,3}$/;
const groupsMax = 10;

/**
 * Returns telephone numbers, card numbers and IBANs that are written in groups, as one word each: `4917012345678` for `+49 (0)170
 * 123-45678`. Two numbers that happen to follow each other are none.
 */
export function spacedNumbers(pieces: Piece[], text: string): Joined[] {
  const found: Joined[] = [];
  let from = 0;
  while (from < pieces.length) {
    const end = endOfGroups(pieces, from, text);
    const lexeme = end - from > 1 ? spellNumber(pieces.slice(from, end), text) : null;
    if (lexeme !== null) found.push({ from, end, lexeme });
    from = end;
  }
  return found;
}

function endOfGroups(pieces: Piece[], from: number, text: string): number {
  const isIban = ibanStart.test(pieces[from]!.word);
  if (!isIban && !digits.test(pieces[from]!.word)) return from + 1;
  let end = from + 1;
  while (end < pieces.length && gap.test(text.slice(pieces[end - 1]!.end, pieces[end]!.start))) {
    const { word } = pieces[end]!;
    // Only the second group of an IBAN may be letters alone, such as a code of a bank.
    const continues = isIban
      ? ibanGroup.test(word) && (end === from + 1 || /\d/.test(word)) && pieces[end - 1]!.word.length === 4
      : digits.test(word);
    if (!continues) break;
    end += 1;
  }
  return end;
}

function spellNumber(groups: Piece[], text: string): string | null {
  const first = groups[0]!;
  // A zero in parentheses is dialled within the country only.
  const dialled = groups.filter(({ word, start }) => word !== '0' || text[start - 1] !== '(');
  const number = dialled.map(({ word }) => word).join('');
  if (groups.length > groupsMax || number.length < 9 || number.length > 34) return null;
  const isNumber =
    ibanStart.test(first.word) ||
    first.word.startsWith('0') ||
    text[first.start - 1] === '+' ||
    groups.length >= 4;
  return isNumber ? number : null;
}
