/**
 * Parses a query into fields: a text each, or a list if a field is given twice. Names have no syntax, so brackets and the names of
 * JavaScript's own properties are unknown fields like any other.
 */
export function parseQuery(text: string | null): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text ?? '')) {
    const known = query[name];
    if (known === undefined) query[name] = value;
    else if (typeof known === 'string') query[name] = [known, value];
    else known.push(value);
  }
  return query;
}
