/** Returns the parts of a body that are not in its new text: quoted history, signatures and the like. */
export function restOf(body: string, newText: string): string {
  const at = newText === '' ? -1 : body.indexOf(newText);
  if (at >= 0) return `${body.slice(0, at)}\n${body.slice(at + newText.length)}`.trim();
  const lines = new Map<string, number>();
  for (const line of newText.split('\n')) lines.set(line.trim(), (lines.get(line.trim()) ?? 0) + 1);
  const isRest = (line: string) => {
    const left = lines.get(line.trim()) ?? 0;
    if (left > 0) lines.set(line.trim(), left - 1);
    return left === 0;
  };
  return body.split('\n').filter(isRest).join('\n').trim();
}
