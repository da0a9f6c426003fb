import { wordsOf } from '../html/words-of.ts';
import type { HtmlText } from './html-to-plain-text.ts';
import { onlyPoints } from './pointing-text.ts';

/** Fewer words may be in both by chance, such as a name. */
const sharedWordsMin = 3;

/**
 * Returns the text that a mail has for a person: its text part, or that of the HTML if the text part only points to it or says what the
 * HTML hides.
 */
export function chooseText(text: string | null, seen: HtmlText | null): string | null {
  if (text === null || seen === null || text === seen.text) return text;
  if (onlyPoints(text, seen.text)) return seen.text;
  if (seen.hidden.length === 0) return text;
  const words = wordsOf(text);
  const saysHidden = seen.hidden.some(
    (hidden) => hidden.trim().split(' ').length >= sharedWordsMin && words.includes(hidden),
  );
  return saysHidden ? seen.text : text;
}
