/**
 * The programs, each with the folders of its files. Folders that import each other's sources are one program, and so are the examples: each
 * program checks all files that it imports.
 */
const projects: Record<string, string[]> = {
  'console/tsconfig.json': ['console', 'contract', 'sdk'],
  'contract/tsconfig.json': ['contract'],
  'mcp/tsconfig.json': ['contract', 'mcp', 'sdk'],
  'sdk/tsconfig.json': ['contract', 'sdk'],
  'tsconfig.examples.json': ['examples', 'sdk'],
  'tsconfig.json': ['contract', 'mcp', 'scripts', 'sdk', 'server', 'testkit'],
  'tsconfig.server.json': ['bench', 'contract', 'faults', 'mcp', 'sdk', 'server', 'testkit', 'words-en'],
  'words-en/tsconfig.json': ['words-en'],
};

/** Returns the projects to check; with `changed`, those that have a changed file. A file outside of their folders may change all. */
export function projectsOf(changed?: string[]): string[] {
  const known = new Set(Object.values(projects).flat());
  const folders = changed?.map((path) => path.split('/')[0] ?? '');
  const isTouched = (own: string[]) =>
    !folders || folders.some((folder) => own.includes(folder) || !known.has(folder));
  return Object.entries(projects)
    .filter(([, own]) => isTouched(own))
    .map(([project]) => project);
}
