/** A piece of a snippet. */
export interface SnippetPart {
  text: string;
  /** Whether the search found it. */
  isMatch: boolean;
}

/** The characters that are shown before a match. */
const beforeMatch = 24;

/**
 * Reads the snippet of a search result: `**` surrounds each match, and a backslash precedes each character of the text itself that could be
 * taken for a mark. A match without an end extends to the end of the text.
 */
export function readSnippet(snippet: string): SnippetPart[] {
  const parts: SnippetPart[] = [];
  let isMatch = false;
  let text = '';
  const end = () => {
    if (text !== '') parts.push({ text, isMatch });
    text = '';
  };
  for (const [token, escaped] of snippet.matchAll(/\\([*_`\\])|\*\*|[^\\*]+|[\\*]/g)) {
    if (token === '**') {
      end();
      isMatch = !isMatch;
    } else text += escaped ?? token;
  }
  end();
  return nearMatch(parts);
}

/** A row shows the beginning of a snippet only, so it begins shortly before the first match. */
function nearMatch([first, ...others]: SnippetPart[]): SnippetPart[] {
  if (first === undefined) return [];
  const isFar = !first.isMatch && others.length > 0 && first.text.length > 2 * beforeMatch;
  return [isFar ? { ...first, text: `…${first.text.slice(-beforeMatch)}` } : first, ...others];
}
