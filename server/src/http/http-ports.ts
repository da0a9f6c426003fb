import type { AddressInfo, Server } from 'node:net';
import type { Config } from '../config/config.ts';
import { listen, requireFreePort } from '../lib/start/listen.ts';
import { portProblem, settingNames } from '../lib/start/start-error.ts';
import { acceptOptions } from './connections/tls-connections.ts';

/** The ports that HTTP may be served at. */
export type HttpPortName = 'http' | 'https' | 'inside';

/** An address at which the API is served, with the settings that define it. */
interface HttpPort {
  host: string;
  port: number;
  hostVariable: string;
  portVariable: string;
}

const insideHost = '127.0.0.1';

/**
 * Returns where HTTP listens, where HTTPS does, and where this process asks itself if HTTP leads to HTTPS. The last two may be null.
 */
function findPorts({ http: { host, port }, tls: { httpsPort, isHttpsOnly } }: Config) {
  const hostVariable = settingNames.httpHost;
  const http: HttpPort = { host, port, hostVariable, portVariable: settingNames.httpPort };
  return {
    http,
    https: httpsPort === null ? null : { ...http, port: httpsPort, portVariable: settingNames.httpsPort },
    inside: isHttpsOnly ? { ...http, host: insideHost, port: 0 } : null,
  };
}

/** Checks that the ports of HTTP and HTTPS are free. @throws StartError that names the setting of one that is not. */
export async function requireHttpPorts(config: Config): Promise<void> {
  const { http, https } = findPorts(config);
  for (const place of https ? [http, https] : [http])
    if (place.port !== 0) await requireFreePort(place).catch(explain(place));
}

/** A server that listens. */
export interface ListeningPort {
  host: string;
  port: number;
  /** Stops accepting connections. Resolves once those that it accepted have ended. */
  close(): Promise<void>;
}

/**
 * Makes servers listen at the ports that are on, and adds each to `open`, also if a later one fails.
 *
 * @throws StartError that names the setting of a port that is not free.
 */
export async function openHttpPorts(
  config: Config,
  servers: Record<HttpPortName, () => Server>,
  open: Partial<Record<HttpPortName, ListeningPort>>,
): Promise<void> {
  const places = findPorts(config);
  for (const name of ['http', 'https', 'inside'] as const) {
    const place = places[name];
    if (place) open[name] = await listenForHttp(place, servers[name]());
  }
}

async function listenForHttp(place: HttpPort, server: Server): Promise<ListeningPort> {
  const more = await listen(server, place, acceptOptions).catch(explain(place));
  return {
    host: place.host,
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all([closed, more.close()]);
    },
  };
}

function explain(place: HttpPort) {
  return (error: unknown): never => {
    throw portProblem(place, error);
  };
}
