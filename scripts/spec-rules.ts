/**
 * The rules of docs/spec/service.md that must have a test, by section: `all`, or the ones that are built, as in
 * `Messages: ['1', '2', 'POST /messages']`. `node scripts/tidy.ts --rules` lists every rule without a test, by its id. A section
 * joins with the slice that builds it, and becomes `all` when the slice is whole.
 */
export const requiredRules: Record<string, 'all' | string[]> = {
  Conventions: ['1', '2', '3', '4'],
  Authentication: ['1', '2', '3', '4', '5'],
  Versioning: ['1'],
};
