/** The kind of a typed pattern. */
export type TypedPattern = 'empty' | 'notYet' | 'address' | 'domain';

/** Returns an explanation of a pattern while it is typed. The server decides what it accepts, and its limits are narrower. */
export function explainPattern(typed: string): TypedPattern {
  const text = typed.trim();
  if (text === '') return 'empty';
  const at = text.lastIndexOf('@');
  if (at < 0) return isDomain(text) ? 'domain' : 'notYet';
  return at > 0 && isDomain(text.slice(at + 1)) && !/\s/.test(text.slice(0, at)) ? 'address' : 'notYet';
}

function isDomain(text: string): boolean {
  const labels = text.split('.');
  return (
    labels.length > 1 && labels.every((label) => /^[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?$/u.test(label))
  );
}
