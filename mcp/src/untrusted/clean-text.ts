/*
 * Text from outside may contain characters that models read but people do not see: tags that spell whole sentences, marks that reverse the
 * order of words, and control characters. None of them means anything to a reader.
 */

const lineBreaks = /\r\n?|[\u0085\u2028\u2029]/g;
const controls = /[\p{Cc}\ufff9-\uffff]/gu;
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Joiners are part of some scripts and of emoji. Elsewhere they are invisible. */
const joiner = '(?:\u200c|\u200d)';
const joinable = '[\\p{L}\\p{M}\\p{Extended_Pictographic}\\ufe0f]';
const misplacedJoiners = new RegExp(
  `(?<!${joinable})${joiner}|${joiner}(?!${joinable})|(?<=[\\p{sc=Latin}\\p{N}])${joiner}|${joiner}(?=[\\p{sc=Latin}\\p{N}])`,
  'gu',
);
const invisible = new RegExp(`(?!${joiner}|\ufe0f)\\p{Default_Ignorable_Code_Point}`, 'gu');
/** The selector that asks for a picture, where there is none. */
const misplacedSelectors = /(?<!\p{Extended_Pictographic}|[#*0-9])\ufe0f/gu;
/** More marks than any language uses on one letter. */
const manyMarks = /(\p{M}{6})\p{M}+/gu;

/** Returns a text without invisible, bidirectional, tag and control characters. Lines end with `\n`. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(lineBreaks, '\n')
    .replace(controls, (character) => (character === '\n' || character === '\t' ? character : ''))
    .replace(directions, '')
    .replace(invisible, '')
    .replace(misplacedJoiners, '')
    .replace(misplacedSelectors, '')
    .replace(manyMarks, '$1')
    .normalize('NFC');
}

/** Does the same on one line, for names and subjects. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}
