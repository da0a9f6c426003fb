import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { listChanged, tiersForChange } from './changed.ts';
import { staticTiers, type Tier, testTiers } from './tiers.ts';

const allTiers = [...staticTiers, ...testTiers];

const help = `npm test                        every tier
npm test -- --only <tier>,…     these tiers
npm test -- --changed [commit]  what the changed files can affect, compared with the commit, by default with where the branch left main;
                                uncommitted and new files count
npm test -- --list              this list
`;

/** Returns the tiers that the arguments of the check name. Prints the list of them and ends the process if the arguments ask for it. */
export function chooseTiers(argv: string[], rootFolder: string): Tier[] {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      changed: { type: 'boolean' },
      list: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.list || values.help) {
    console.log(help);
    for (const { name, about } of allTiers) console.log(`${name.padEnd(14)} ${about}`);
    process.exit(0);
  }
  if (positionals.length > (values.changed ? 1 : 0))
    throw new Error(`No argument ${positionals.at(-1)}. ${help}`);
  const tiers = values.only === undefined ? allTiers : namedTiers(values.only);
  if (!values.changed) return tiers;
  const names = new Set(tiers.map(({ name }) => name));
  return tiersOfBranch(rootFolder, positionals[0]).filter(({ name }) => names.has(name));
}

function namedTiers(list: string): Tier[] {
  const names = list.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !allTiers.some((tier) => tier.name === name));
  if (unknown.length > 0)
    throw new Error(
      `No tier ${unknown.join(', ')}: there are ${allTiers.map(({ name }) => name).join(', ')}.`,
    );
  return allTiers.filter(({ name }) => names.includes(name));
}

function tiersOfBranch(rootFolder: string, commit: string | undefined): Tier[] {
  const changed = listChanged(rootFolder, commit);
  const existing = globSync(['**/*.{ts,tsx,mjs}'], {
    cwd: rootFolder,
    exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path),
  });
  const tiers = tiersForChange(changed, existing);
  console.log(`${changed.length} changed files: ${tiers.map(sayTier).join(', ') || 'nothing to check'}\n`);
  return tiers;
}

function sayTier({ name, limits }: Tier): string {
  const tests = limits?.tests;
  if (!tests) return name;
  const [first, ...files] = tests.filter((word) => !word.startsWith('--'));
  return first === 'related'
    ? `${name} (related to ${files.length} files)`
    : `${name} (${files.length} files)`;
}
