/*
 * Knot DNS, a real name server, on a port of this machine: what a zone and its updates look like outside our own code. It runs under the
 * account of the caller, with everything in a temporary folder.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '@postrider/testkit/lib/free-port.ts';

/** A running name server. */
export interface Knot {
  port: number;
  /** `host:port`, as `POSTRIDER_DNS` wants it: Knot answers for its own zones, also if recursion is asked for. */
  address: string;
  /** Replaces the records of a name and type, written as in a zone file: `10 mx.example.test.` or `"v=spf1 -all"`. */
  setRecord(zone: string, name: string, type: string, values: string[], ttl?: number): Promise<void>;
  stop(): Promise<void>;
}

/** The zones, the key (secret in base64) whose updates are accepted, and where the programs of Knot are. */
export interface KnotOptions {
  zones: string[];
  tsig?: { name: string; secret: string };
  /** A free one by default. */
  port?: number;
  /** The folder of `knotd` and `knotc`; by default they are looked for in `PATH` and `/usr/sbin`. */
  programs?: string;
}

const run = promisify(execFile);
const readyTries = 100;
const readyPauseMs = 50;

/**
 * Starts Knot DNS with the zones, each with an SOA, and one name server at 127.0.0.1.
 *
 * @throws Error that says how to install Knot, or with its output if it does not start.
 */
export async function startKnot(options: KnotOptions): Promise<Knot> {
  const programs = await findPrograms(options.programs);
  // Knot cannot choose a port itself.
  const port = options.port ?? (await freePort());
  const folder = await mkdtemp(join(tmpdir(), 'postrider-knot-'));
  const config = join(folder, 'knot.conf');
  // Knot does not make this folder. Without it, it starts and answers questions, and every update fails.
  await mkdir(join(folder, 'database'));
  await writeFile(config, makeConfig(folder, port, options), { mode: 0o600 });
  for (const zone of options.zones) await writeFile(join(folder, `${zone}.zone`), makeZoneFile(zone));
  const server = spawn(programs.knotd, ['-c', config], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(server, 'exit');
  let output = '';
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (text) => {
      output = `${output}${text}`.slice(-4_000);
    });
  const kill = () => server.kill('SIGKILL');
  process.once('exit', kill);
  const control = async (...args: string[]) => {
    await run(programs.knotc, ['-c', config, ...args], { timeout: 10_000 });
  };
  const stop = async () => {
    process.off('exit', kill);
    server.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(control, options.zones, () => server.exitCode !== null);
  } catch (error) {
    await stop();
    throw new Error(`Knot does not start on port ${port}: ${output || error}`);
  }
  const setRecord: Knot['setRecord'] = (zone, name, type, values, ttl = 60) =>
    replaceRecords(control, { zone, name, type, values, ttl });
  return { port, address: `127.0.0.1:${port}`, setRecord, stop };
}

type Control = (...args: string[]) => Promise<void>;

interface Records {
  zone: string;
  name: string;
  type: string;
  values: string[];
  ttl: number;
}

async function findPrograms(folder: string | undefined): Promise<{ knotd: string; knotc: string }> {
  for (const place of folder === undefined ? ['', '/usr/sbin/'] : [`${folder}/`]) {
    const programs = { knotd: `${place}knotd`, knotc: `${place}knotc` };
    try {
      await run(programs.knotd, ['-V']);
      return programs;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new Error(
    'Knot DNS is not installed: `apt-get install knot` (Debian, Ubuntu) or `brew install knot` (macOS).',
  );
}

function makeConfig(folder: string, port: number, { zones, tsig }: KnotOptions): string {
  const keys = tsig
    ? ['key:', `  - id: ${tsig.name}`, '    algorithm: hmac-sha256', `    secret: ${tsig.secret}`]
    : [];
  const acls = tsig ? ['acl:', '  - id: updates', `    key: ${tsig.name}`, '    action: update'] : [];
  return [
    'server:',
    `    rundir: ${folder}`,
    `    listen: 127.0.0.1@${port}`,
    'database:',
    `    storage: ${folder}/database`,
    'log:',
    '  - target: stderr',
    '    any: warning',
    ...keys,
    ...acls,
    'template:',
    '  - id: default',
    `    storage: ${folder}`,
    '    file: "%s.zone"',
    ...(tsig ? ['    acl: updates'] : []),
    'zone:',
    ...zones.map((zone) => `  - domain: ${zone}`),
    '',
  ].join('\n');
}

function makeZoneFile(zone: string): string {
  return [
    `$ORIGIN ${zone}.`,
    '$TTL 60',
    '@ SOA ns1 hostmaster 1 3600 600 86400 60',
    '@ NS ns1',
    'ns1 A 127.0.0.1',
    '',
  ].join('\n');
}

async function untilReady(control: Control, zones: string[], hasExited: () => boolean): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      // Begins and drops a transaction, which only a loaded zone has.
      for (const zone of zones) {
        await control('zone-begin', zone);
        await control('zone-abort', zone);
      }
      return;
    } catch (error) {
      if (tries === readyTries || hasExited()) throw error;
    }
    await pause(readyPauseMs);
  }
}

async function replaceRecords(control: Control, { zone, name, type, values, ttl }: Records): Promise<void> {
  await control('zone-begin', zone);
  try {
    // Knot refuses to remove what is not there.
    await control('zone-unset', zone, `${name}.`, type).catch(() => undefined);
    for (const value of values) await control('zone-set', zone, `${name}.`, String(ttl), type, value);
    await control('zone-commit', zone);
  } catch (error) {
    await control('zone-abort', zone).catch(() => undefined);
    throw error;
  }
}
