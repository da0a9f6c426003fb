/* Interface 20: certificates that come by ACME, from an ACME server that looks up challenges at the ports of the test. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type AcmeServer, startAcmeServer } from '@postrider/testkit/acme/acme-server.ts';
import { freshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { agentFor, askByHttps, findPresented } from '@postrider/testkit/http/https-client.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '@postrider/testkit/servers/test-server.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { examineCertificates } from '../../../src/admin/doctor/examine-certificates.ts';

const web = 'mail.postrider.test';
const mx = 'mx.postrider.test';
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const lifetimeMs = 90 * dayMs;
/** When a third of the lifetime is left, and a moment more. */
const untilRenewalMs = (lifetimeMs * 2) / 3 + hourMs;

let clock = createMovingClock();
let acme: AcmeServer;
let servers: TestServer[] = [];
let behindMs = 0;
/** Whether port 80 leads to the server. */
let isHttpOpen = true;
let started = Promise.withResolvers<TestServer>();

beforeEach(async () => {
  clock = createMovingClock();
  behindMs = 0;
  isHttpOpen = true;
  servers = [];
  started = Promise.withResolvers();
  acme = await startAcmeServer({
    now: () => new Date(clock.now().getTime() - behindMs),
    lifetimeMs,
    ports: async () => {
      const { url, server } = await started.promise;
      return { http: isHttpOpen ? Number(new URL(url).port) : 0, https: server.httpsPort ?? 0 };
    },
  });
});
afterEach(async () => {
  for (const server of servers) await server.stop();
  await acme.close();
});

async function start(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startOnly(options);
  started.resolve(server);
  return server;
}

/** Starts a server at which no challenge is looked up yet. */
async function startOnly(options: TestServerOptions): Promise<TestServer> {
  const server = await startTestServer({
    clock,
    lookAgainMs: 50,
    httpsAgent: acme.agent,
    ...options,
    env: {
      POSTRIDER_ACME_EMAIL: 'ops@postrider.test',
      POSTRIDER_ACME_DIRECTORY: acme.directory,
      POSTRIDER_PUBLIC_URL: `https://${web}`,
      POSTRIDER_HTTPS_PORT: '0',
      POSTRIDER_TIME_SCALE: '20',
      ...options.env,
    },
  });
  servers.push(server);
  return server;
}

const certificatesOf = (hostname: string) =>
  acme.resources.issued.filter((one) => one.hostname === hostname).map(({ cert }) => cert);
const printOf = (cert: string | undefined) => cert && new X509Certificate(cert).fingerprint256;
const portOf = ({ server }: TestServer) => server.httpsPort ?? 0;

/** Resolves once a server presents the certificate of this number for both names. */
async function presents(server: TestServer, number: number): Promise<void> {
  for (const hostname of [web, mx])
    await eventually(`certificate ${number} of ${hostname}`, async () => {
      const wanted = printOf(certificatesOf(hostname)[number - 1]);
      return wanted !== undefined && (await findPresented(portOf(server), hostname)) === wanted;
    });
}

const trusting = (hostname: string, options = {}) =>
  agentFor(acme.resources.authority.root, hostname, options);
const ask = (server: TestServer, path: string, agent = trusting(web)) =>
  askByHttps({ port: portOf(server), path, agent, key: server.key });
const rowsOf = (server: TestServer) =>
  server.rows<{
    hostname: string;
    failure: string | null;
    failures: number;
    fence: number;
    due_at: Date;
    sealed_pair: string;
  }>('select * from tls_certificates order by hostname');
/** Resolves once a look at both certificates has ended, after which the next one is hours away. An order is leased for minutes. */
const looked = (server: TestServer) =>
  eventually('looks that have ended', async () =>
    (await rowsOf(server)).every(({ due_at }) => due_at.getTime() - clock.now().getTime() > hourMs / 2),
  );
const countAsked = (part: string) => acme.asked.filter((line) => line.includes(part)).length;
const doctor = ({ server: { deps } }: TestServer) =>
  examineCertificates(deps.database, { ...deps.config, http: { host: '0.0.0.0', port: 80 } }, clock.now());
const failuresOf = (server: TestServer) =>
  eventually('a failure of both names', async () => {
    const rows = await rowsOf(server);
    return rows.every(({ failure }) => failure !== null) && rows;
  });

test('Interface 20 POSTRIDER_ACME_EMAIL: both names get certificates by themselves, for HTTPS and STARTTLS', async () => {
  const server = await start();
  await presents(server, 1);
  expect((await ask(server, '/v1/account')).status).toBe(200);
  const client = await RawSmtpClient.greet(server.smtpPort);
  await client.command('STARTTLS');
  expect(await client.secure()).toBe(printOf(certificatesOf(mx)[0]));
  client.destroy();
  expect(await doctor(server)).toMatchObject([{ state: 'ok' }, { state: 'ok' }]);
  const metrics = await server.server.deps.metrics.registry.metrics();
  expect(metrics).toMatch(/certificate_end_timestamp_seconds\{hostname="mail\.postrider\.test"\} \d+/);

  const stored = JSON.stringify([await rowsOf(server), await server.rows('select * from acme_accounts')]);
  expect(stored).not.toMatch(/PRIVATE KEY|BEGIN CERTIFICATE/);
  expect(await server.rows('select * from acme_challenges')).toEqual([]);
  expect([...acme.resources.accounts]).toHaveLength(1);
});

test('Interface 20 POSTRIDER_ACME_EMAIL: HTTP answers challenges and the state of the server, and leads to HTTPS', async () => {
  const server = await start();
  const plain = (path: string, method = 'GET') => fetch(server.url + path, { method, redirect: 'manual' });
  for (const path of ['/v1/messages?limit=2', '/', '/metrics', '/files/x', '/console'])
    for (const method of ['GET', 'POST']) {
      const { status, headers } = await plain(path, method);
      expect([status, headers.get('location')]).toEqual([308, `https://${web}${path}`]);
    }
  for (const path of ['/livez', '/readyz']) expect((await plain(path)).status).toBe(200);
  for (const token of ['unknown', '..%2f', 'a'.repeat(300)])
    expect((await plain(`/.well-known/acme-challenge/${token}`)).status).toBe(404);
  await server.rows(
    `insert into acme_challenges values ('known', 'a.example', 'known.print', now() + interval '1 minute')`,
  );
  const answer = await plain('/.well-known/acme-challenge/known');
  expect([answer.status, await answer.text()]).toEqual([200, 'known.print']);

  await presents(server, 1);
  const listed = await askByHttps({
    port: portOf(server),
    path: '/mcp',
    agent: trusting(web),
    key: server.key,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_inboxes', arguments: {} } },
    accept: 'application/json, text/event-stream',
  });
  expect(listed.body).toContain('"result"');
  expect(listed.body).not.toContain('"isError":true');
});

test('Interface 20 POSTRIDER_ACME_EMAIL: certificates are renewed at a third of the lifetime left, and no connection is lost', async () => {
  const server = await start();
  await presents(server, 1);
  const agent = trusting(web, { keepAlive: true, maxSockets: 1 });
  const before = await ask(server, '/v1/account', agent);
  clock.advance(untilRenewalMs - 2 * hourMs);
  await looked(server);
  expect(certificatesOf(web)).toHaveLength(1);
  clock.advance(2 * hourMs);
  await presents(server, 2);
  const after = await ask(server, '/v1/account', agent);
  expect(after.status).toBe(200);
  expect(after.socket).toBe(before.socket);
  expect([certificatesOf(web).length, certificatesOf(mx).length]).toEqual([2, 2]);
  agent.destroy();
});

test('Interface 20 POSTRIDER_ACME_EMAIL: a certificate that was revoked is replaced within hours', async () => {
  const server = await start();
  await presents(server, 1);
  acme.resources.revoke(certificatesOf(web)[0] ?? '');
  clock.advance(7 * hourMs);
  await looked(server);
  expect([certificatesOf(web).length, certificatesOf(mx).length]).toEqual([2, 1]);
});

test('Interface 20 POSTRIDER_ACME_EMAIL: a failure keeps the certificate, and shows in log, metric and doctor', async () => {
  const server = await start();
  await presents(server, 1);
  await acme.goAway();
  clock.advance(untilRenewalMs);
  await failuresOf(server);
  expect(await findPresented(portOf(server), web)).toBe(printOf(certificatesOf(web)[0]));
  expect(await doctor(server)).toMatchObject([
    { state: 'problem', text: expect.stringContaining('ECONNREFUSED') },
    { state: 'problem', text: expect.stringContaining(`the certificate of ${mx} is valid until`) },
  ]);
  const metrics = await server.server.deps.metrics.registry.metrics();
  expect(metrics).toMatch(/certificate_failures_total\{hostname="mail\.postrider\.test"\} [1-9]/);
  await acme.comeBack();
  clock.advance(hourMs);
  await presents(server, 2);
  expect(await doctor(server)).toMatchObject([{ state: 'ok' }, { state: 'ok' }]);
});

test('Interface 20 POSTRIDER_ACME_EMAIL: an ACME server that has had enough is left alone as long as it asks', async () => {
  const server = await start();
  await presents(server, 1);
  acme.proxy = { status: 429, headers: { 'retry-after': '7200' } };
  clock.advance(untilRenewalMs);
  const rows = await failuresOf(server);
  for (const { due_at, failure } of rows) {
    expect(due_at.getTime() - clock.now().getTime()).toBeGreaterThan(1.9 * hourMs);
    expect(failure).toBe('The ACME server answers 429: Busy.');
  }
  acme.proxy = null;
  clock.advance(2 * hourMs);
  await presents(server, 2);
});

/** Resolves once it is asked for both names whether their challenges were looked up, which they are not yet. */
const polled = () =>
  eventually('polls', async () => {
    const asked = acme.asked.filter((line) => line.includes('/authorization/'));
    const polls = [...Map.groupBy(asked, (line) => line).values()];
    return polls.length === 2 && polls.every(({ length }) => length > 1);
  });

test('Interface 20 POSTRIDER_ACME_EMAIL: an order goes on after an ACME server was busy for a moment', async () => {
  const server = await startOnly({});
  await polled();
  acme.proxy = { status: 503, headers: { 'retry-after': '1' }, times: 2 };
  await eventually('two answers', async () => acme.proxy === null);
  started.resolve(server);
  await presents(server, 1);
  expect(countAsked('/new-order')).toBe(2);
});

test('Interface 20 POSTRIDER_ACME_EMAIL: an ACME server that has had enough in the middle of an order is asked no more', async () => {
  const server = await startOnly({});
  await polled();
  const before = acme.asked.length;
  acme.proxy = { status: 429, headers: { 'retry-after': '7200' } };
  for (const { due_at } of await failuresOf(server))
    expect(due_at.getTime() - clock.now().getTime()).toBeGreaterThan(1.9 * hourMs);
  expect(acme.asked.length - before).toBe(2);
});

test('Interface 20 POSTRIDER_ACME_EMAIL: a wrong clock orders no certificate after another', async () => {
  behindMs = 200 * dayMs;
  const server = await start();
  const rows = await failuresOf(server);
  for (const { due_at, failure } of rows) {
    expect(failure).toContain('correct the clock');
    expect(due_at.getTime() - clock.now().getTime()).toBeGreaterThan(23 * hourMs);
  }
  // Clients whose clocks are right accept it.
  await presents(server, 1);
  expect([certificatesOf(web).length, certificatesOf(mx).length]).toEqual([1, 1]);
});

test('Interface 20 POSTRIDER_ACME_EMAIL: a clock that was ahead is made up for by the start after it was corrected', async () => {
  behindMs = 70 * dayMs;
  const database = await freshDatabase();
  const shared = { database: database.settings, env: { POSTRIDER_SECRET: 'a'.repeat(64) } };
  const ahead = await start(shared);
  await failuresOf(ahead);
  await ahead.stop();
  clock.advance(-behindMs);
  behindMs = 0;
  started = Promise.withResolvers();
  const corrected = await start(shared);
  await presents(corrected, 2);
  await looked(corrected);
  expect(await doctor(corrected)).toMatchObject([{ state: 'ok' }, { state: 'ok' }]);
  await corrected.stop();
  servers = [];
  await database.drop();
});

test('Interface 20 POSTRIDER_ACME_EMAIL: a process that starts leaves the orders of others alone', async () => {
  const database = await freshDatabase();
  const secret = { POSTRIDER_SECRET: 'a'.repeat(64) };
  const env = { ...secret, POSTRIDER_ACME_DIRECTORY: `${acme.directory}/other` };
  const shared = { database: database.settings };
  const first = await start({ ...shared, env: secret });
  await presents(first, 1);
  await looked(first);
  await first.stop();
  // Challenges are looked up once a third process has started.
  started = Promise.withResolvers();
  const lookups = started;
  const ordering = await startOnly({ ...shared, env });
  await eventually('orders', async () => countAsked('/new-order') === 4);
  const third = await startOnly({
    ...shared,
    env: { ...env, POSTRIDER_SMTP_HOSTNAME: 'third.postrider.test' },
  });
  await eventually('its rows', async () => (await rowsOf(third)).length === 3);
  lookups.resolve(third);
  await presents(ordering, 2);
  expect((await rowsOf(third)).find(({ hostname }) => hostname === web)?.fence).toBe(2);
  for (const server of servers.splice(0)) await server.stop();
  await database.drop();
});

test('Interface 20 POSTRIDER_ACME_EMAIL: any process answers a challenge, and all present what one has ordered', async () => {
  const database = await freshDatabase();
  const shared = { database: database.settings, env: { POSTRIDER_SECRET: 'a'.repeat(64) } };
  const front = await start({ ...shared, roles: ['api', 'smtp'] });
  expect(certificatesOf(web)).toEqual([]);
  const workers = await Promise.all([1, 2].map(() => start({ ...shared, roles: ['api', 'worker'] })));
  await presents(front, 1);
  const late = await start({ ...shared, roles: ['api'] });
  expect(await findPresented(portOf(late), web)).toBe(printOf(certificatesOf(web)[0]));
  expect([certificatesOf(web).length, certificatesOf(mx).length]).toEqual([1, 1]);
  for (const worker of workers) await presents(worker, 1);
  for (const server of servers.splice(0)) await server.stop();
  await database.drop();
});

test('Interface 20 POSTRIDER_ACME_EMAIL: a server that stops in the middle of an order leaves it to the next one', async () => {
  const database = await freshDatabase();
  const shared = { database: database.settings, env: { POSTRIDER_SECRET: 'a'.repeat(64) } };
  // Challenges are looked up once the next server has started.
  started = Promise.withResolvers();
  const lookups = started;
  const stopped = await startOnly(shared);
  await eventually('an order', async () => acme.asked.some((line) => line.includes('http-01')));
  const silent = [portOf(stopped), Number(new URL(stopped.url).port)].map((port) =>
    connect(port, '127.0.0.1'),
  );
  await Promise.all(silent.map((socket) => once(socket, 'connect')));
  await stopped.stop();
  for (const socket of silent) if (!socket.closed) await once(socket.resume(), 'close');
  const next = await startOnly(shared);
  lookups.resolve(next);
  await presents(next, 1);
  await next.stop();
  servers = [];
  await database.drop();
});

test('Interface 20 POSTRIDER_ACME_EMAIL: where port 80 is closed, the names are proven by TLS at port 443', async () => {
  isHttpOpen = false;
  const server = await start();
  const anyCertificate = trusting(web, { rejectUnauthorized: false });
  expect((await ask(server, '/livez', anyCertificate)).status).toBe(200);
  await presents(server, 1);
  clock.advance(untilRenewalMs);
  await presents(server, 2);
  expect(acme.resources.issued.map(({ by }) => by)).toEqual(Array(4).fill('tls-alpn-01'));
  // The first order found out, and the next ones begin with what worked.
  const metrics = await server.server.deps.metrics.registry.metrics();
  expect(metrics).toMatch(/certificate_failures_total\{hostname="mail\.postrider\.test"\} 1\n/);
});
