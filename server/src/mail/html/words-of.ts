/** Returns the words of a text in their order, with a space around each, so that those of another text are found in them as a whole. */
export function wordsOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu);
  return words === null ? ' ' : ` ${words.join(' ')} `;
}
