const separators = new Set([',', ';', '\n', '\r', '\t']);

/**
 * Splits a typed or pasted list into recipients at commas, semicolons, tabs and line ends, except inside of quotation marks and angle
 * brackets. Bare addresses with only spaces between them are split too. Whether a recipient is valid is for the API to say.
 */
export function splitRecipients(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  let isQuoted = false;
  let isInBrackets = false;
  for (const character of text) {
    if (character === '"' && !part.endsWith('\\')) isQuoted = !isQuoted;
    if (!isQuoted && character === '<') isInBrackets = true;
    if (!isQuoted && character === '>') isInBrackets = false;
    // A line end closes open quotation marks, so that a stray one does not swallow the whole list.
    const isEnd = character === '\n' || (!isQuoted && !isInBrackets && separators.has(character));
    if (isEnd) {
      parts.push(part);
      part = '';
      isQuoted = false;
      isInBrackets = false;
    } else part += character;
  }
  parts.push(part);
  return parts.flatMap(splitAtSpaces).filter((each) => each !== '');
}

/** Returns a list with further recipients at its end. A recipient that is there already, in any case, is not added again. */
export function addRecipients(list: readonly string[], added: readonly string[]): string[] {
  const known = new Set(list.map(bareAddress));
  const all = [...list];
  for (const recipient of added) {
    const bare = bareAddress(recipient);
    if (known.has(bare)) continue;
    known.add(bare);
    all.push(recipient);
  }
  return all;
}

/** Returns the address of a recipient without its name, in lower case. */
export function bareAddress(recipient: string): string {
  const inBrackets = /<([^<>]*)>\s*$/.exec(recipient)?.[1];
  return (inBrackets ?? recipient).trim().toLowerCase();
}

function splitAtSpaces(part: string): string[] {
  const words = part.trim().split(/\s+/);
  return words.every((word) => /^[^\s<>"@]+@[^\s<>"@]+$/.test(word)) ? words : [part.trim()];
}
