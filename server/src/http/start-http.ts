import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { sql } from 'kysely';
import { type AppOptions, createApp } from '../app.ts';
import { isUnavailable } from '../db/database-errors.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { largeBodySlots } from '../lib/admission/server-limits.ts';
import { Slots } from '../lib/admission/slots.ts';
import { tooManyRequests } from '../lib/api-error.ts';
import { nothingDue, startLoop } from '../lib/concurrency/worker-loop.ts';
import { openFilesMax } from '../lib/start/listen.ts';
import { createSocketHub } from '../realtime/socket-hub.ts';
import { openRequestLog } from '../request-log/open-request-log.ts';
import { findHostChallenge } from '../tls/acme/challenges.ts';
import type { ServedCertificates } from '../tls/served-certificates.ts';
import type { TlsCertificate } from '../tls/tls-certificate.ts';
import { BodyDrain } from './bodies/body-drain.ts';
import { JsonThread } from './bodies/json-thread.ts';
import { BodyClock } from './bodies/read-body.ts';
import { connectionsFor } from './connections/connection-room.ts';
import { type Connections, limitConnections } from './connections/connections.ts';
import { acceptUpgrades, answerBrokenRequests, isForSocket } from './connections/raw-requests.ts';
import { createSecondServer, createTlsServer } from './connections/tls-connections.ts';
import { type HttpPortName, type ListeningPort, openHttpPorts } from './http-ports.ts';

/** When a request without room for its body is told to try again. */
const bodyComeAgainMs = 2_000;

/** A running HTTP server. */
export interface RunningHttp {
  /** `http://host:port`. */
  url: string;
  /** Null if HTTPS is off. */
  httpsPort: number | null;
  /** Stops taking requests, finishes the open ones and closes the sockets within `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** How often Node checks that a client has sent its whole header within a minute. */
const checkSilentMs = 10_000;

/** The parts of the server that its HTTP side needs. */
export interface HttpOptions extends Pick<AppOptions, 'strict' | 'takeSesMail' | 'probes'> {
  /** The certificates of HTTPS, which is opened only with them. */
  certificates: ServedCertificates | null;
}

/** Starts the HTTP server, also with TLS if that is on, and tells the rest of the server about its address. */
export async function startHttp(
  deps: Deps,
  { strict, takeSesMail, probes, certificates }: HttpOptions,
): Promise<RunningHttp> {
  const processes = await joinApiProcesses(deps);
  const hub = createSocketHub(deps);
  const bodies = {
    slots: new Slots(largeBodySlots, { refusal: () => tooManyRequests(bodyComeAgainMs) }),
    thread: new JsonThread(),
    clock: new BodyClock(),
    drain: new BodyDrain(),
  };
  const requests = openRequestLog(deps);
  const app = createApp(deps, {
    strict,
    takeSesMail,
    probes,
    processCount: processes.count,
    hub,
    bodies,
    requests,
  });
  const server = createServer({
    requireHostHeader: false,
    shouldUpgradeCallback: isForSocket,
    connectionsCheckingInterval: checkSilentMs,
  });
  const isTrusted = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  const isProxy = (address: string) => isTrusted(address, 0);
  const connectionsMax = connectionsFor(openFilesMax());
  const connections = limitConnections(server, { connectionsMax, isProxy }, app);
  answerBrokenRequests(server);
  acceptUpgrades(server, app);
  // Longer than the timeouts of usual proxies, so that a proxy never uses a connection that is just being closed.
  server.keepAliveTimeout = 75_000;
  const ports: Partial<Record<HttpPortName, ListeningPort>> = {};
  const stop = async (graceMs: number) => {
    connections.endSilent();
    await Promise.all([
      processes.leave(),
      hub.close(graceMs),
      closeHttp(server, Object.values(ports), graceMs),
    ]);
    connections.leave();
    await Promise.all([requests.close(), bodies.thread.close()]);
  };
  try {
    await openHttpPorts(deps.config, serversFor(deps, server, { connections, certificates }), ports);
    const { http = { host: '', port: 0 }, https, inside } = ports;
    const url = `http://${http.host.includes(':') ? `[${http.host}]` : http.host}:${http.port}`;
    deps.address.listenAt(url);
    const { host = null, port = http.port } = inside ?? {};
    deps.address.inside = { host, port };
    return { url, httpsPort: https?.port ?? null, stop };
  } catch (error) {
    await stop(0);
    throw error;
  }
}

/** Returns the servers of all ports. The connections of each are handled by the server of HTTP. */
function serversFor(
  deps: Deps,
  http: Server,
  { connections, certificates }: { connections: Connections; certificates: ServedCertificates | null },
) {
  const { publicUrl, tls } = deps.config;
  const hostname = publicUrl === null ? null : new URL(publicUrl).hostname;
  const createHttps = () => {
    if (!certificates) throw new Error('HTTPS needs certificates.');
    const findChallenge = tls.isHttpsOnly ? (host: string) => findChallengeCertificate(deps, host) : null;
    return createTlsServer(http, connections, { certificates, hostname, findChallenge });
  };
  return { http: () => http, https: createHttps, inside: () => createSecondServer(http) };
}

async function findChallengeCertificate(deps: Deps, hostname: string): Promise<TlsCertificate | null> {
  const keyAuthorization = await findHostChallenge(deps, hostname);
  if (keyAuthorization === null) return null;
  // The code that creates certificates is large, and most servers never need it.
  const { makeChallengeCertificate } = await import('../tls/acme/challenge-certificate.ts');
  return makeChallengeCertificate(hostname, keyAuthorization, deps.clock.now());
}

const idleCheckMs = 100;

/** Finishes open requests and closes each connection without one. Connections open after `graceMs` are cut. */
async function closeHttp(server: Server, ports: ListeningPort[], graceMs: number): Promise<void> {
  // A kept-alive connection becomes idle only after its response, so closing idle ones once is not enough.
  const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  const closed = Promise.all(ports.map((port) => port.close()));
  server.closeIdleConnections();
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}

/** Several looks, longer than clocks differ, and than a database is usually away. */
const goneAfterMs = 40_000;

/** The processes that serve the API, as seen by one of them. */
export interface ApiProcesses {
  /** Their number, including this one. */
  count(): number;
  leave(): Promise<void>;
}

/** Without rates nobody counts. */
const alone: ApiProcesses = { count: () => 1, leave: async () => {} };

/** Joins the processes that serve the API. Each gives a sign of life whenever it looks again, and is forgotten when these stop. */
export async function joinApiProcesses(deps: Deps): Promise<ApiProcesses> {
  if (!deps.config.rateLimits) return alone;
  const id = randomUUID();
  let count = await beat(deps, id);
  const loop = startLoop({
    look: async () => {
      count = await beat(deps, id);
      return nothingDue;
    },
    onError: (error) => {
      if (!isUnavailable(error))
        deps.log.error({ err: error }, 'the number of API processes could not be read');
    },
    lookAgainMs: deps.lookAgainMs,
  });
  return {
    count: () => count,
    leave: async () => {
      await loop.stop();
      // The other processes take over this share at once, and not after a while, if the database can be reached.
      await acrossWorkspaces(deps, 'processes serve all workspaces')
        .deleteFrom('api_processes')
        .where('id', '=', id)
        .execute()
        .catch(() => {});
    },
  };
}

/** Records that this process is alive, removes processes that have ended, and returns the number of the others. */
async function beat(deps: Deps, id: string): Promise<number> {
  const now = deps.clock.now();
  const gone = new Date(now.getTime() - goneAfterMs);
  // Rows that another process is removing or renewing are skipped, so that no two processes wait for each other.
  const { rows } = await sql<{ count: number }>`
    with forgotten as (delete from api_processes where id in (
        select id from api_processes where seen_at < ${gone} and id <> ${id} for update skip locked)),
      renewed as (insert into api_processes (id, seen_at) values (${id}, ${now})
        on conflict (id) do update set seen_at = excluded.seen_at)
    select 1 + count(*)::int as count from api_processes where id <> ${id} and seen_at >= ${gone}
  `.execute(acrossWorkspaces(deps, 'processes serve all workspaces'));
  return rows[0]?.count ?? 1;
}
