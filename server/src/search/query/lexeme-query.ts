/*
 * The text of a tsquery is made of quoted lexemes and nothing else, and reaches the database as a parameter. So a query can name any word,
 * and never becomes an operator.
 */

/** Returns a lexeme as a tsquery has it. */
export function oneLexeme(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** Returns a tsquery that matches a lexeme in the subject only. */
export function inSubject(lexeme: string): string {
  return `${oneLexeme(lexeme)}:A`;
}

/** Returns a tsquery that matches if any part does. */
export function anyOfParts(parts: string[]): string {
  return parts.length === 1 ? (parts[0] as string) : `(${parts.join(' | ')})`;
}

/** Returns a tsquery that matches if all parts do. */
export function allOfParts(parts: string[]): string {
  return parts.length === 1 ? (parts[0] as string) : `(${parts.join(' & ')})`;
}

/** Returns a tsquery that matches if the parts stand at places that follow each other. */
export function nextToEachOther(parts: string[]): string {
  return parts.length === 1 ? (parts[0] as string) : `(${parts.join(' <-> ')})`;
}

/** Returns a tsquery that matches if any of these lexemes is there. */
export function anyLexeme(lexemes: string[]): string {
  return anyOfParts(lexemes.map(oneLexeme));
}

/** Returns a tsquery that matches if the part does not. */
export function noneOf(part: string): string {
  return `!${part.startsWith('(') || part.startsWith("'") ? part : `(${part})`}`;
}
