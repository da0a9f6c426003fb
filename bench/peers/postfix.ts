import { readdirSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@postrider/testkit/lib/free-port.ts';
import type { Bench } from '../run/group.ts';
import { startListener } from '../run/program.ts';
import { cacheFolder, type Peer, run } from './peer.ts';

/** The user `nobody`, who owns its queue. */
const account = { uid: 65_534, gid: 65_534 };

/**
 * Starts a Postfix from Debian's package, which is downloaded and unpacked but not installed. It takes any mail, keeps it in its queue
 * (with fsync, before the 250), and discards it afterwards.
 */
export async function startPostfix(bench: Bench): Promise<Peer> {
  if (process.getuid?.() !== 0) throw new Error('Postfix runs as root only');
  const cache = await cacheFolder('postfix');
  const isPackage = (name: string) => name.startsWith('postfix_') && name.endsWith('.deb');
  if (!readdirSync(cache).some(isPackage)) run(['apt-get', 'download', 'postfix'], cache);
  const file = readdirSync(cache).find(isPackage) ?? '';
  const folder = await mkdtemp(join(tmpdir(), 'postrider-bench-postfix-'));
  bench.atEnd(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  run(['dpkg', '-x', join(cache, file), join(folder, 'program')], folder);
  const port = await freePort();
  await makeFolders(folder, account);
  await writeFile(join(folder, 'etc/main.cf'), mainConfig(folder, account.uid));
  await writeFile(join(folder, 'etc/master.cf'), masterConfig(port));
  const library = join(folder, 'program/usr/lib/postfix');
  const program = await startListener([join(library, 'sbin/master'), '-c', join(folder, 'etc'), '-d'], port, {
    cwd: folder,
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LD_LIBRARY_PATH: library },
  });
  bench.atEnd(program.stop);
  return { version: /_([^_]+)_/.exec(file)?.[1] ?? 'unknown', port };
}

const queues = 'active bounce corrupt defer deferred flush hold incoming saved trace private'.split(' ');

async function makeFolders(folder: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  for (const name of ['etc', 'queue', 'queue/pid']) await mkdir(join(folder, name));
  for (const name of ['data', ...queues.map((queue) => `queue/${queue}`)]) {
    await mkdir(join(folder, name), { mode: 0o700 });
    await chown(join(folder, name), uid, gid);
  }
  for (const [name, mode] of [
    ['public', 0o710],
    ['maildrop', 0o730],
  ] as const) {
    await mkdir(join(folder, 'queue', name));
    await chown(join(folder, 'queue', name), uid, gid);
    await chmod(join(folder, 'queue', name), mode);
  }
}

/** Returns the configuration. The queue belongs to the account that also runs Postgres, because that is not root. */
function mainConfig(folder: string, uid: number): string {
  return `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
daemon_directory = ${folder}/program/usr/lib/postfix/sbin
command_directory = ${folder}/program/usr/sbin
shlib_directory = ${folder}/program/usr/lib/postfix
meta_directory = ${folder}/etc
mail_owner = ${run(['id', '-un', String(uid)], folder).trim()}
setgid_group = mail
import_environment = MAIL_CONFIG MAIL_DEBUG MAIL_LOGTAG TZ LANG=C LD_LIBRARY_PATH
myhostname = mx.bench.example
mydestination =
alias_maps =
local_recipient_maps =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_peername_lookup = no
smtpd_tls_security_level = none
disable_dns_lookups = yes
default_transport = discard:
message_size_limit = 26214400
default_process_limit = 220
`;
}

function masterConfig(port: number): string {
  const services = [
    'rewrite trivial-rewrite',
    'bounce bounce',
    'defer bounce',
    'trace bounce',
    'verify verify',
    'error error',
    'retry error',
    'discard discard',
    'anvil anvil',
    'scache scache',
    'proxymap proxymap',
  ];
  return [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'flush unix n - n 1000? 0 flush',
    ...services.map((service) => `${service.split(' ')[0]} unix - - n - - ${service.split(' ')[1]}`),
    '',
  ].join('\n');
}
