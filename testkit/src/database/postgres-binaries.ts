import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import {
  type Binaries,
  chooseRunner,
  findBinaries,
  type Runner,
} from '../../../server/src/db/own/find-binaries.ts';

/** A Postgres for tests, and how it is run. */
export interface PostgresBinaries extends Binaries {
  kind: 'system' | 'npm';
  runner: Runner;
}

/**
 * Finds the Postgres that servers start for themselves, or the one of the major version that `POSTRIDER_TEST_POSTGRES` names, such as 15,
 * as Debian installs it. `spare` is a folder that may get a copy of the programs.
 */
export async function findPostgres(spare: string): Promise<PostgresBinaries> {
  const runner = chooseRunner();
  if (runner === null) throw new Error('Postgres does not run as this user.');
  const major = process.env.POSTRIDER_TEST_POSTGRES ?? '';
  if (major === '') return { kind: 'npm', runner, ...(await findBinaries(null, spare, runner)) };
  const folder = join('/usr/lib/postgresql', major, 'bin');
  const [program = '', ...args] = runner.wrap([join(folder, 'postgres'), '--version']);
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', cwd: '/', ...runner.account });
  if (status !== 0) throw new Error(`There is no Postgres ${major} in ${folder}.`);
  return { kind: 'system', runner, folder, version: /(\d+(?:\.\d+)?)/.exec(stdout)?.[1] ?? major };
}
