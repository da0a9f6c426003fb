import type { MadeText } from './made-texts.ts';

/** `lost`: something is missing. `wrong`: all is there, but cells touch or stand apart, lines are joined, or hidden text is shown. */
export type TextVerdict = 'right' | 'lost' | 'wrong';

/** Compares the text of an HTML mail with what it has to say. */
export function judgeText({ rows, lines, absent }: MadeText, text: string): TextVerdict {
  const folded = fold(text);
  if ([...rows.flat(), ...lines].some((one) => !folded.includes(fold(one)))) return 'lost';
  const own = text.split('\n');
  const bare = new Set(
    own.map((line) => fold(line.replace(/\[[^\]]*\]/g, '').replace(/^[\s>*|]+|[\s|]+$/g, ''))),
  );
  const areRows = rows.every((cells) => own.some((line) => rowPattern(cells).test(line)));
  const isTidy = !/\n{3,}|[\t|]+ *(?:\n|$)|(?:^|\n)[\t|]/.test(text);
  const isShown = absent.some((one) => folded.includes(fold(one)));
  return areRows && isTidy && !isShown && lines.every((line) => bare.has(fold(line))) ? 'right' : 'wrong';
}

function rowPattern(cells: string[]): RegExp {
  const apart = '[^\\p{L}\\p{N}](?:.*[^\\p{L}\\p{N}])?';
  const escaped = cells.map((cell) => cell.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped.join(apart)}(?![\\p{L}\\p{N}])`, 'u');
}

function fold(text: string): string {
  return text
    .replace(/\u200c|\u200d|[\s\u200b\ufeff]/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
}
