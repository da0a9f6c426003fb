/** Returns what is outside of all fences in the strings of an answer, with the path of each. */
export function unfencedTexts(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, withoutFenced(value)]];
  if (Array.isArray(value)) return value.flatMap((one, at) => unfencedTexts(one, `${path}.${at}`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => unfencedTexts(one, `${path}.${key}`));
}

/** Takes away what is between marks with the number of the answer, as somebody who knows nothing else of it. */
function withoutFenced(text: string): string {
  return text.replace(/<untrusted-([0-9a-f]{8})>[\s\S]*?<\/untrusted-\1>/g, '');
}
