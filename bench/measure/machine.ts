import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { fileURLToPath } from 'node:url';
import manifest from '../package.json' with { type: 'json' };

/** The machine on which the figures were measured. */
export interface Machine {
  cores: number;
  cpu: string;
  memoryGb: number;
  kernel: string;
  /** Its load average over the minute before the run. Above 0, other programs used a part of it. */
  loadBefore: number;
}

/** Describes this machine. */
export function describeMachine(): Machine {
  return {
    cores: cpus().length,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: `${type()} ${release()}`,
    loadBefore: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  };
}

/** Returns the versions of everything that was compared. */
export async function readVersions(postgres: string): Promise<Record<string, string>> {
  const versions: Record<string, string> = {
    node: process.versions.node,
    postgres,
  };
  for (const name of Object.keys(manifest.dependencies)) {
    if (name === 'postrider') continue;
    const file = fileURLToPath(new URL(`../node_modules/${name}/package.json`, import.meta.url));
    const found = (await import(file, { with: { type: 'json' } })) as { default: { version: string } };
    versions[name] = found.default.version;
  }
  return versions;
}

/** Returns the commit of a checkout, and whether its server was changed since. */
export function describeCommit(folder: string): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  try {
    const isChanged = git('status', '--porcelain', '--', 'server', 'contract') !== '';
    return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`;
  } catch {
    return 'unknown';
  }
}
