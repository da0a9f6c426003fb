/*
 * The listening sockets of the HTTP server. Node takes one new connection of each in a turn of its loop, and the turns of a busy
 * server are long: behind a client that opens hundreds at once, all others would wait for seconds. So Linux spreads new
 * connections over several sockets of one port, of which each turn takes one.
 */
import type { Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { connectionLimits } from './connection-limits.ts';

/** Where to listen; port 0 takes a free one. */
export interface ListenAddress {
  host: string;
  port: number;
}

/** The sockets beside the server's own; closed when they take no more connections and all theirs have ended. */
export interface MoreListeners {
  close(): Promise<void>;
}

/** `reusePort` came with Node 22.12 and 23.1; elsewhere than on Linux it spreads nothing. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const canSpread =
  process.platform === 'linux' &&
  (major > 23 || (major === 22 && minor >= 12) || (major === 23 && minor >= 1));

/** Has the server listen; rejects when the address cannot be had, also where another program listens that would share it. */
export const listen = async (server: HttpServer, { host, port }: ListenAddress): Promise<MoreListeners> => {
  const count = canSpread ? connectionLimits.listeners : 1;
  if (count > 1 && port !== 0) await requireFree({ host, port });
  const isShared = count > 1;
  await listenOn(server, { host, port }, isShared);
  const bound = { host, port: (server.address() as AddressInfo).port };
  const more = Array.from({ length: count - 1 }, () =>
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => void server.emit('connection', socket)),
  );
  await Promise.all(more.map((one) => listenOn(one, bound, isShared)));
  return { close: async () => void (await Promise.all(more.map(closeOne))) };
};

/** Sockets that share a port do so with those of any program of this user, which nobody wants. */
const requireFree = async (address: ListenAddress): Promise<void> => {
  const server = createServer();
  await listenOn(server, address, false);
  await closeOne(server);
};

const listenOn = (server: Server, { host, port }: ListenAddress, reusePort: boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, reusePort, backlog: connectionLimits.backlog }, () => {
      server.off('error', reject);
      resolve();
    });
  });

const closeOne = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
