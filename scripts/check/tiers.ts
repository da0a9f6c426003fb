import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { generators } from '../generators.ts';

/** One command, as arguments of Node. */
export type Command = string[];

/** A part of the check with its own line and time. */
export interface Tier {
  name: string;
  about: string;
  commands(rootFolder: string): Command[];
  /** The file to which vitest writes its results. Its tests count in the totals. */
  report?: string;
}

/** Folders that import each other's sources are one program, and so are the examples: each program checks all files that it imports. */
const typescriptProjects = [
  'tsconfig.json',
  'tsconfig.{server,examples}.json',
  '{contract,sdk,mcp,words-en,embeddings,console}/tsconfig.json',
];

/** Tools are run by their script. This is faster than through pnpm, and nothing has to be on the PATH. */
const tools = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  knip: 'node_modules/knip/bin/knip.js',
  redocly: 'node_modules/@redocly/cli/bin/cli.js',
  tsc: 'node_modules/typescript-native/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
};

function checkTypes(rootFolder: string): Command[] {
  return globSync(typescriptProjects, { cwd: rootFolder })
    .sort()
    .map((project) => [tools.tsc, '--project', project, '--pretty', 'false']);
}

function checkGenerated(rootFolder: string): Command[] {
  return generators
    .filter(({ script }) => existsSync(join(rootFolder, script)))
    .map(({ script }) => [script, '--check']);
}

/**
 * Creates a tier that runs vitest projects, by default the one with its name. Projects that run together wait only once for their last
 * files.
 */
function testTier(name: string, about: string, projects = [name]): Tier {
  const report = join('node_modules', '.postrider', 'reports', `${name}.json`);
  const command = [
    tools.vitest,
    'run',
    ...projects.map((project) => `--project=${project}`),
    '--passWithNoTests',
    '--reporter=default',
    '--reporter=json',
  ];
  return {
    name,
    about,
    report,
    commands: (rootFolder) => [[...command, `--outputFile.json=${join(rootFolder, report)}`]],
  };
}

/** Commands that need no order and that nothing disturbs. They run side by side. */
export const staticTiers: Tier[] = [
  { name: 'types', about: 'TypeScript', commands: checkTypes },
  { name: 'format', about: 'format, imports, lint', commands: () => [[tools.biome, 'ci', '--colors=off']] },
  { name: 'tidy', about: 'rules of the house', commands: () => [['scripts/tidy.ts']] },
  {
    name: 'unused',
    about: 'no unused files, exports, dependencies',
    commands: () => [[tools.knip, '--no-progress', '--no-config-hints']],
  },
  { name: 'generated', about: 'generated files are fresh', commands: checkGenerated },
  {
    name: 'openapi',
    about: 'openapi.json is valid',
    commands: () => [[tools.redocly, 'lint', 'openapi.json']],
  },
];

/** The tests. One tier runs at a time, because some of them measure time. */
export const testTiers: Tier[] = [
  testTier('unit', 'tests without a database, and the SDK', ['unit', 'sdk']),
  testTier('database', 'database and specification'),
  testTier('packages', 'what is published, and the examples', ['packages', 'examples']),
];
