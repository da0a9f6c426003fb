/** A longer token is no word, but data such as base64, whose first letters are enough. */
const tokenCharactersMax = 40;

/**
 * Returns the words and numbers of a text in their order, folded: without marks and in lower case. Short forms are written out as far as
 * the table of words needs it: `can't` becomes `ca` and `not`, and `Ada's` becomes `ada`.
 */
export function textTokens(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/n['’]t\b/g, ' not')
    .replace(/(?<=[a-z])['’](?:s|re|ve|ll|d|m)\b/g, '');
  return (folded.match(/[\p{L}\p{N}]+/gu) ?? []).map((token) => token.slice(0, tokenCharactersMax));
}
