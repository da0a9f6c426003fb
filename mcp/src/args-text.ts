/** Returns arguments as text, independent of their order. Undefined arguments are left out. */
export function argsText(args: Record<string, unknown>): string {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  return JSON.stringify(given.sort(([a], [b]) => (a < b ? -1 : 1)));
}
