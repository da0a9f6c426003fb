import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';

/** A user and a group of this machine, by number. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * How the programs of Postgres are run. They refuse to run as root, and as a user without an entry in `/etc/passwd`. `namespace` gives them
 * another number in a user namespace of their own, in which their files still belong to us; `account` runs them as another user, who owns
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
