import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../../scripts/build-console.mjs', import.meta.url));

/** Builds the pages of the console before the tests of a project, unless they are up to date. */
export function setup(): void {
  execFileSync(process.execPath, [script], { stdio: ['ignore', 'ignore', 'pipe'] });
}
