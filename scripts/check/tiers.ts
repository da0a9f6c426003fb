import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { generators } from '../generators.ts';
import { listProjects } from './typescript-projects.ts';

/** One command, as arguments of Node. */
export type Command = string[];

/** Limits on the work of a tier. */
export interface Limits {
  /** The changed files, if only what they can affect is checked. */
  changed?: string[];
  /** The first arguments of vitest, which choose the tests. By default these are all tests of the tier. */
  tests?: string[];
  /** The processes of vitest. By default these are those of its configuration. */
  workers?: number;
}

/** A part of the check with its own line and time. */
export interface Tier {
  name: string;
  about: string;
  /** The processor time that all of it needs, in units of the fixed calculation of `measureUnit`. */
  budget: number;
  /** The changed files for which `--changed` runs a tier without tests. */
  touchedBy?: RegExp;
  commands(rootFolder: string, limits?: Limits): Command[];
  /** The file to which vitest writes its results. Its tests count in the totals. */
  report?: string;
  /** The processes of vitest while another lane runs. */
  workersBeside?: number;
  /** Set if it does only a part of its work. */
  limits?: Limits;
}

/** Tools are run by their script. This is faster than through pnpm, and nothing has to be on the PATH. */
const tools = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  knip: 'node_modules/knip/bin/knip.js',
  pyright: 'node_modules/pyright/index.js',
  redocly: 'node_modules/@redocly/cli/bin/cli.js',
  tsc: 'node_modules/typescript-native/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
};

function checkTypes(_rootFolder: string, { changed }: Limits = {}): Command[] {
  return listProjects(changed).map((project) => [tools.tsc, '--project', project, '--pretty', 'false']);
}

function checkGenerated(rootFolder: string): Command[] {
  return generators
    .filter(({ script }) => existsSync(join(rootFolder, script)))
    .map(({ script }) => [script, '--check']);
}

/**
 * Creates a tier that runs vitest projects. Projects that run together wait only once for their last files.
 */
function testTier(tier: Omit<Tier, 'commands' | 'report'>, projects: string[]): Tier {
  const report = join('node_modules', '.postrider', 'reports', `${tier.name}.json`);
  return {
    ...tier,
    report,
    commands: (rootFolder, { tests = ['run'], workers } = {}) => [
      [
        tools.vitest,
        ...tests,
        ...projects.map((project) => `--project=${project}`),
        ...(workers === undefined ? [] : [`--maxWorkers=${workers}`]),
        '--passWithNoTests',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${join(rootFolder, report)}`,
      ],
    ],
  };
}

/** Commands that need no order and that nothing disturbs. They run side by side. */
export const staticTiers: Tier[] = [
  {
    name: 'types',
    about: 'TypeScript',
    budget: 560,
    touchedBy: /\.(tsx?|mts|mjs)$|(^|\/)(tsconfig[^/]*|package)\.json$/,
    commands: checkTypes,
  },
  {
    name: 'python',
    about: 'types of the Python client',
    budget: 60,
    touchedBy: /^python\/|\.py$/,
    commands: () => [[tools.pyright, '--project', 'python']],
  },
  {
    name: 'format',
    about: 'format, imports, lint',
    budget: 90,
    touchedBy: /\.([mc]?[tj]s|tsx|css|jsonc?)$/,
    commands: () => [[tools.biome, 'ci', '--colors=off']],
  },
  {
    name: 'tidy',
    about: 'rules of the house',
    budget: 85,
    touchedBy: /./,
    commands: () => [['scripts/tidy.ts']],
  },
  {
    name: 'unused',
    about: 'no unused files, exports, dependencies',
    budget: 50,
    touchedBy: /\.(tsx?|mts|mjs|css)$|(^|\/)(knip|package)\.json$/,
    commands: () => [[tools.knip, '--no-progress', '--no-config-hints']],
  },
  {
    name: 'generated',
    about: 'generated files are fresh',
    budget: 45,
    touchedBy:
      /^(contract|docs|mcp|python|scripts|sdk)\/|^server\/src\/(config|metrics)|^deploy\/(grafana|prometheus)|^console\/src\/strings\/|\.md$|^openapi\.json$|^\.env\.example$/,
    commands: checkGenerated,
  },
  {
    name: 'openapi',
    about: 'openapi.json and management.openapi.json are valid',
    budget: 16,
    touchedBy: /^((management\.)?openapi\.json|redocly\.yaml)$/,
    commands: () => [[tools.redocly, 'lint', 'openapi.json', 'management.openapi.json']],
  },
];

const unit = testTier(
  { name: 'unit', about: 'tests without a database, and the SDK', budget: 1_300, workersBeside: 1 },
  ['unit', 'console', 'sdk'],
);
const database = testTier(
  { name: 'database', about: 'database and specification', budget: 10_500, workersBeside: 4 },
  ['database'],
);
const packages = testTier(
  { name: 'packages', about: 'what is published, and the examples', budget: 1_300, workersBeside: 1 },
  ['packages', 'examples'],
);

/** The tests, in the order in which they are listed. */
export const testTiers: Tier[] = [unit, database, packages];

/**
 * The lanes run side by side, and the tiers of a lane one after the other. The database takes longer than the rest together, and its tests
 * often wait. The lanes share the four workers of vitest's configuration, which keep two cores busy, so that tests which measure time have
 * as much of the machine as in a lane alone. A lane without company has all four.
 */
export const testLanes: Tier[][] = [[database], [unit, packages]];
