import { spawnSync } from 'node:child_process';
import { basename, dirname } from 'node:path/posix';
import { staticTiers, type Tier, testTiers } from './tiers.ts';

const mainBranches = ['main', 'origin/main'];

/** A change of these can affect any test. */
const everywhere = /^(pnpm-lock\.yaml|pnpm-workspace\.yaml|vitest\.config\.ts)$/;
/** Everything that others install or copy. */
const published = /^(contract|examples|mcp|sdk)\//;
const code = /\.(tsx?|mts|mjs)$/;
const test = /\.(test|spec)\.tsx?$/;
const databaseTest = /\.db\.test\.ts$|^server\/test\/spec\/.*\.spec\.ts$/;

/**
 * Returns the paths of all files that differ from a commit, also those that are not committed, new or deleted. Without a commit, it is the
 * one at which the branch left `main`.
 */
export function listChanged(folder: string, commit?: string): string[] {
  const base = commit ?? findBase(folder);
  const tracked = git(folder, 'diff', '--name-only', '--no-renames', '-z', base, '--');
  if (tracked === null) throw new Error(`Git knows no commit ${base}.`);
  const untracked = git(folder, 'ls-files', '--others', '--exclude-standard', '-z') ?? '';
  return [...new Set(`${tracked}${untracked}`.split('\0').filter(Boolean))].sort();
}

function findBase(folder: string): string {
  for (const branch of mainBranches) {
    const base = git(folder, 'merge-base', branch, 'HEAD');
    if (base !== null) return base.trim();
  }
  throw new Error('There is no branch main to compare with. Name a commit: npm test -- --changed <commit>');
}

function git(cwd: string, ...args: string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 100_000_000 });
  return status === 0 ? stdout : null;
}

/**
 * Returns the tiers that a change can affect, with the tests of each that are close to it. `existing` are the paths of all code files. The
 * choice is a guess, made for speed: a test may also depend on files that it reads or on a server that it starts.
 */
export function tiersForChange(changed: string[], existing: string[]): Tier[] {
  if (changed.some((path) => everywhere.test(path))) return [...staticTiers, ...testTiers];
  const checks = staticTiers.flatMap((tier) => {
    const touching = changed.filter((path) => tier.touchedBy?.test(path));
    return touching.length > 0 ? [{ ...tier, limits: { changed: touching } }] : [];
  });
  return [...checks, ...testTiers.flatMap((tier) => limitTests(tier, changed, existing))];
}

function limitTests(tier: Tier, changed: string[], existing: string[]): Tier[] {
  if (tier.name === 'packages') return changed.some((path) => published.test(path)) ? [tier] : [];
  const isThere = new Set(existing);
  const isUnit = tier.name === 'unit';
  const files = isUnit
    ? changed.filter((path) => code.test(path) && isThere.has(path))
    : databaseTestsFor(changed, existing);
  if (files.length === 0) return [];
  return [{ ...tier, limits: { tests: isUnit ? ['related', '--run', ...files] : ['run', ...files] } }];
}

/** Returns the tests with a database that are changed, are in a changed folder, or have the name of a changed file or folder. */
function databaseTestsFor(changed: string[], existing: string[]): string[] {
  const sources = changed.filter((path) => code.test(path) && !test.test(path));
  const folders = new Set(sources.map((path) => dirname(path)));
  const names = new Set(sources.flatMap(pathNames));
  const isClose = (path: string) =>
    path.endsWith('.spec.ts')
      ? names.has(basename(path, '.spec.ts')) || names.has(basename(dirname(path)))
      : folders.has(dirname(path));
  return existing
    .filter((path) => databaseTest.test(path) && (changed.includes(path) || isClose(path)))
    .sort();
}

/** Returns the names of a file and of its folders below those of the sources: `send-message` and `messages`. */
function pathNames(path: string): string[] {
  const [stem = ''] = basename(path).split('.');
  const [, inside] = dirname(path).split(/(?:^|\/)src(?:\/|$)/);
  return [stem, ...(inside ? inside.split('/') : [])];
}
