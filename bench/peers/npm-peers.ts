import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@postrider/testkit/lib/free-port.ts';
import type { Bench } from '../run/group.ts';
import { startListener, startScript } from '../run/program.ts';
import { cacheFolder, type Peer, run } from './peer.ts';

/** The packages, with the overrides that let the two be installed together. */
const manifest = {
  private: true,
  dependencies: { maildev: '3.0.0', Haraka: '3.3.4' },
  overrides: {
    'encoding-japanese': '2.4.0',
    '@zone-eu/mailsplit': '5.4.18',
    libmime: '5.4.5',
    libqp: '2.1.2',
    libbase64: '1.3.1',
  },
};

/** Installs both once, into one folder. Returns its path. */
async function installPeers(): Promise<string> {
  const folder = await cacheFolder('npm');
  const wanted = JSON.stringify(manifest);
  const note = join(folder, 'installed.json');
  if (existsSync(note) && (await readFile(note, 'utf8')) === wanted) return folder;
  await writeFile(join(folder, 'package.json'), wanted);
  run(['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts'], folder);
  await writeFile(note, wanted);
  return folder;
}

const isolated = { PATH: process.env.PATH ?? '', NODE_ENV: 'production' };

/** Starts maildev, which keeps the newest 500 mails in memory. */
export async function startMaildev(bench: Bench): Promise<Peer> {
  const folder = await installPeers();
  const port = await freePort();
  const options = [
    '--ip',
    '127.0.0.1',
    '--smtp',
    `${port}`,
    '--disable-web',
    '--max-emails',
    '500',
    '--silent',
  ];
  const program = await startListener(
    [process.execPath, join(folder, 'node_modules/maildev/dist/bin/maildev.js'), ...options],
    port,
    {
      cwd: folder,
      env: isolated,
    },
  );
  bench.atEnd(program.stop);
  return { version: manifest.dependencies.maildev, port };
}

const acceptAll = `
exports.register = function () {
  this.register_hook('rcpt', 'accept');
  this.register_hook('lookup_rdns', 'no_lookup');
  this.register_hook('get_mx', 'sink');
};
exports.accept = (next, connection) => { connection.relaying = true; next(OK); };
exports.no_lookup = (next) => next(OK, 'localhost');
exports.sink = (next) => next(OK, { priority: 0, exchange: '127.0.0.1', port: SINK_PORT });
`;

/** Starts Haraka as a relay in one process. Its queue is on the disk, and it flushes each mail before the 250. */
export async function startHaraka(bench: Bench): Promise<Peer> {
  const program = await installPeers();
  const sink = await startScript<{ port: number }>(new URL('../load/smtp-sink.ts', import.meta.url), {});
  bench.atEnd(sink.stop);
  const folder = await mkdtemp(join(tmpdir(), 'postrider-bench-haraka-'));
  bench.atEnd(() => rm(folder, { recursive: true, force: true }));
  const port = await freePort();
  for (const name of ['config', 'plugins', 'queue']) await mkdir(join(folder, name));
  await cp(join(program, 'package.json'), join(folder, 'package.json'));
  // Without this file, Haraka has no limits, not even its defaults, and fails.
  await cp(join(program, 'node_modules/Haraka/config/connection.ini'), join(folder, 'config/connection.ini'));
  const files: Record<string, string> = {
    'config/smtp.ini': `listen=127.0.0.1:${port}\nnodes=0\n`,
    'config/plugins': 'bench\n',
    'config/loglevel': 'LOGCRIT\n',
    'config/me': 'mx.bench.example\n',
    'config/outbound.ini': '[tls]\nenable=false\nconcurrency_max=50\n',
    'plugins/bench.js': acceptAll.replace('SINK_PORT', String(sink.ready.port)),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const haraka = await startListener(
    [process.execPath, join(program, 'node_modules/Haraka/bin/haraka'), '-c', folder],
    port,
    {
      cwd: folder,
      env: isolated,
    },
  );
  bench.atEnd(haraka.stop);
  return { version: manifest.dependencies.Haraka, port };
}
