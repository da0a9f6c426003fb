import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A program that runs JavaScript. */
export interface Runtime {
  name: string;
  command: [string, ...string[]];
}

/** The runtimes beside the Node of the tests: programs of the PATH, and packages that npm has fetched before. */
const wanted: { name: string; program: string; flags?: string[]; npmPackage: string; major?: number }[] = [
  { name: 'Node 20', program: 'node', npmPackage: 'node@20', major: 20 },
  { name: 'Node 22', program: 'node', npmPackage: 'node@22', major: 22 },
  { name: 'Node 24', program: 'node', npmPackage: 'node@24', major: 24 },
  { name: 'Bun', program: 'bun', npmPackage: 'bun' },
  { name: 'Deno', program: 'deno', flags: ['run', '--quiet', '-A'], npmPackage: 'deno' },
];

/** The runtimes that are here. With `POSTRIDER_TEST_FETCH=true` those that are not are fetched from npm. */
export async function findRuntimes(): Promise<[name: string, runtime: Runtime][]> {
  const found = await Promise.all(
    wanted.map(async ({ name, program, flags = [], npmPackage, major }): Promise<[string, Runtime][]> => {
      const here = major === undefined ? await findProgram(program, []) : null;
      const file = here ?? (await findProgram(program, ['--package', npmPackage], major));
      return file === null ? [] : [[name, { name, command: [file, ...flags] }]];
    }),
  );
  return found.flat();
}

/** Where a program is, on the PATH or in the package that has it; null when it is not here, or of another version. */
async function findProgram(program: string, source: string[], major?: number): Promise<string | null> {
  const find = `command -v ${program}`;
  const fetching = process.env.POSTRIDER_TEST_FETCH === 'true' ? [] : ['--offline'];
  try {
    const { stdout } =
      source.length === 0
        ? await run('sh', ['-c', find])
        : await run('npm', ['exec', '--yes', ...fetching, ...source, '--call', find], { timeout: 600_000 });
    const path = stdout.trim().split('\n').at(-1) ?? '';
    const { stdout: version } = await run(path, ['--version']);
    return major === undefined || version.startsWith(`v${major}.`) ? path : null;
  } catch {
    return null;
  }
}
