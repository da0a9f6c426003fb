/*
 * Certificates from Pebble, the ACME server that the authors of Let's Encrypt test clients with: both challenges, a renewal after its
 * authority is away, and which connections live on. It needs the program `pebble`, which is a package of Debian.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningServer, startServer } from '../../server/src/boot/server.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { createLogger } from '../../server/src/logger.ts';
import { makeSelfSignedCertificate } from '../../server/src/tls/tls-certificate.ts';
import { startDnsServer } from '../../testkit/src/dns/dns-server.ts';
import { agentFor, askByHttps } from '../../testkit/src/http/https-client.ts';
import { freePort } from '../../testkit/src/lib/free-port.ts';

const web = 'mail.release.test';
const mx = 'mx.release.test';
const patienceMs = 180_000;

/** Where everything listens. */
interface Ports {
  http: number;
  https: number;
  acme: number;
  management: number;
}

/** Rejects if something is not as it has to be. */
export default async function check(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-acme-'));
  const [http = 0, https = 0, acme = 0, management = 0] = await Promise.all([1, 2, 3, 4].map(freePort));
  const ports: Ports = { http, https, acme, management };
  const own = makeSelfSignedCertificate('localhost', new Date());
  const agent = new Agent({ ca: own.cert });
  const dns = await startDnsServer();
  for (const name of [web, mx]) dns.set(name, 'A', ['127.0.0.1']);
  let pebble: ChildProcess | null = null;
  let server: RunningServer | null = null;
  try {
    pebble = await startPebble(folder, dns.address, ports, own);
    const running = await start(folder, ports, agent);
    server = running;
    const first = await issued(running, () => true);
    console.log(`  issued: ${first.map(describe).join('; ')}`);
    const { body: root } = await askByHttps({
      port: management,
      path: '/roots/0',
      agent: agentFor(own.cert, 'localhost'),
    });
    const client = agentFor(root, web, { keepAlive: true, maxSockets: 1 });
    const ask = () => askByHttps({ port: https, path: '/livez', agent: client });
    const before = await ask();
    console.log(`  a client that trusts the authority gets ${before.status} by HTTPS`);

    await stopProgram(pebble);
    await makeDue(running);
    const failure = await eventually('a failure', async () => (await readRows(running))[0]?.failure);
    console.log(`  while Pebble is away: ${failure}`);
    pebble = await startPebble(folder, dns.address, ports, own);
    const second = await issued(running, ({ serialNumber }) => serialNumber !== first[0]?.serialNumber);
    console.log(`  renewed: ${second.map(describe).join('; ')}`);
    const after = await ask();
    if (after.socket !== before.socket || after.status !== 200) throw new Error('A connection was lost.');
    console.log('  the connection from before the renewal still answers');
    client.destroy();
  } finally {
    await server?.stop(5_000);
    if (pebble) await stopProgram(pebble);
    await dns.close();
    await rm(folder, { recursive: true });
  }
}

/** Starts Pebble, which looks up challenges at the ports of the server. It forgets its accounts when it stops. */
async function startPebble(
  folder: string,
  dns: string,
  { http, https, acme, management }: Ports,
  own: { cert: string; key: string },
): Promise<ChildProcess> {
  const config = {
    listenAddress: `127.0.0.1:${acme}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: join(folder, 'pebble.pem'),
    privateKey: join(folder, 'pebble.key'),
    httpPort: http,
    tlsPort: https,
  };
  await writeFile(config.certificate, own.cert);
  await writeFile(config.privateKey, own.key);
  await writeFile(join(folder, 'pebble.json'), JSON.stringify({ pebble: config }));
  const program = spawn('pebble', ['-config', join(folder, 'pebble.json'), '-dnsserver', dns], {
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1' },
    stdio: 'ignore',
  });
  let failure: Error | null = null;
  program.once('error', (cause) => {
    failure = new Error('`pebble` cannot be started: install it.', { cause });
  });
  await eventually('Pebble to listen', async () => {
    if (failure) throw failure;
    return fetch(`http://127.0.0.1:${acme}`).then(
      () => true,
      () => false,
    );
  });
  return program;
}

async function stopProgram(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const ended = new Promise((resolve) => program.once('exit', resolve));
  program.kill();
  await ended;
}

async function start(folder: string, ports: Ports, httpsAgent: Agent): Promise<RunningServer> {
  const config = readConfig({
    POSTRIDER_DATA_DIR: join(folder, 'data'),
    POSTRIDER_HTTP_PORT: String(ports.http),
    POSTRIDER_HTTPS_PORT: String(ports.https),
    POSTRIDER_SMTP_PORT: '0',
    POSTRIDER_SMTP_HOSTNAME: mx,
    POSTRIDER_PUBLIC_URL: `https://${web}`,
    POSTRIDER_ACME_EMAIL: 'ops@release.test',
    POSTRIDER_ACME_DIRECTORY: `https://localhost:${ports.acme}/dir`,
  });
  const options = { roles: ['api', 'smtp', 'worker'] as const, lookAgainMs: 250, httpsAgent };
  return startServer(config, await createLogger('silent'), { ...options, roles: [...options.roles] });
}

interface Row {
  hostname: string;
  valid_to: Date | null;
  failure: string | null;
  proven_by: string | null;
}

async function readRows({ deps }: RunningServer): Promise<Row[]> {
  return (await deps.database.pool.query('select * from tls_certificates order by hostname')).rows;
}

/** Makes the certificates due as if a third of their lifetime were left. */
async function makeDue({ deps }: RunningServer): Promise<void> {
  await deps.database.pool.query(
    `update tls_certificates set valid_from = now() - interval '61 days', valid_to = now() + interval '29 days', due_at = now()`,
  );
}

/** Resolves to the certificates that HTTPS presents, once both are there and the first one is as wanted. */
function issued(
  server: RunningServer,
  isWanted: (certificate: X509Certificate) => boolean,
): Promise<X509Certificate[]> {
  return eventually('certificates', async () => {
    const rows = await readRows(server);
    if (!rows.every(({ failure, valid_to }) => failure === null && valid_to !== null)) return null;
    const found = await Promise.all([web, mx].map((name) => presented(server.httpsPort ?? 0, name)));
    return found.every(({ issuer }) => /Pebble/.test(issuer)) && isWanted(found[0]!) ? found : null;
  });
}

async function presented(port: number, hostname: string): Promise<X509Certificate> {
  const agent = agentFor('', hostname, { rejectUnauthorized: false });
  const { socket } = await askByHttps({ port, path: '/livez', agent });
  const certificate = socket.getPeerX509Certificate();
  if (!certificate) throw new Error(`Nothing is presented for ${hostname}.`);
  return certificate;
}

function describe({ subjectAltName, issuer, validTo }: X509Certificate): string {
  return `${subjectAltName} by ${issuer.replaceAll('\n', ', ')} until ${validTo}`;
}

async function eventually<T>(what: string, look: () => Promise<T | null | undefined | false>): Promise<T> {
  const since = performance.now();
  while (performance.now() - since < patienceMs) {
    const found = await look();
    if (found) return found;
    await sleep(250);
  }
  throw new Error(`Waited ${patienceMs / 1_000} s in vain for ${what}.`);
}
