/**
 * The programs, each with the beginnings of the paths of its files. Folders that import each other's sources are one program, and so are
 * the examples: each program checks all files that it imports.
 */
const projects: Record<string, string[]> = {
  'console/tsconfig.json': ['console/', 'contract/', 'sdk/'],
  'contract/tsconfig.json': ['contract/'],
  'embeddings/tsconfig.json': ['embeddings/'],
  'mcp/tsconfig.json': ['contract/', 'mcp/', 'sdk/'],
  'sdk/tsconfig.json': ['contract/', 'sdk/'],
  'site/tsconfig.json': ['contract/src/brand.ts', 'server/src/docs/', 'site/'],
  'tsconfig.examples.json': ['examples/', 'sdk/'],
  // The scripts import little of the server, which changes most often.
  'tsconfig.json': [
    'contract/',
    'mcp/',
    'scripts/',
    'sdk/',
    'server/src/config',
    'server/src/docs/',
    'server/src/lib/',
    'server/src/metrics',
    'testkit/src/servers/',
  ],
  'tsconfig.server.json': [
    'bench/',
    'contract/',
    'embeddings/',
    'faults/',
    'mcp/',
    'sdk/',
    'server/',
    'testkit/',
    'words-en/',
  ],
  'words-en/tsconfig.json': ['words-en/'],
};

/** Returns the projects to check; with `changed`, those that have a changed file. A file that is in none of them may change all. */
export function listProjects(changed?: string[]): string[] {
  const projectsWith = (path: string) =>
    Object.keys(projects).filter((project) => projects[project]?.some((start) => path.startsWith(start)));
  const touched = changed?.map(projectsWith);
  const isTouched = (project: string) =>
    !touched || touched.some((names) => names.length === 0 || names.includes(project));
  return Object.keys(projects).filter(isTouched);
}
