/*
 * The listening sockets of a server. Node takes one new connection of each in a turn of its loop, and the turns of a busy server are
 * long: behind a client that opens hundreds at once, all others would wait for seconds. So Linux spreads new connections over
 * several sockets of one port, and each turn takes one of each.
 */
import { type AddressInfo, createServer, type Server, type ServerOpts } from 'node:net';

/** How many sockets listen at a port, and how many connections the system keeps for each until they are accepted. */
export const listenLimits = { sockets: 8, backlog: 4_096 };

/** Where to listen; port 0 takes a free one. */
export interface ListenAddress {
  host: string;
  port: number;
}

/** The sockets beside the server's own. */
export interface MoreListeners {
  /** Takes no more connections; resolves once all of theirs have ended. */
  close(): Promise<void>;
}

/** `reusePort` came with Node 22.12 and 23.1; elsewhere than on Linux it spreads nothing. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const canSpread =
  process.platform === 'linux' &&
  (major > 23 || (major === 22 && minor >= 12) || (major === 23 && minor >= 1));

/**
 * Has a server listen, with connections as `options` say; rejects when the address cannot be had, also where another program listens
 * that would share it.
 */
export const listen = async (
  server: Server,
  { host, port }: ListenAddress,
  options: ServerOpts = {},
): Promise<MoreListeners> => {
  const count = canSpread ? listenLimits.sockets : 1;
  if (count > 1 && port !== 0) await requireFreePort({ host, port });
  const isShared = count > 1;
  await listenOn(server, { host, port }, isShared);
  const bound = { host, port: (server.address() as AddressInfo).port };
  const more = Array.from({ length: count - 1 }, () =>
    createServer(options, (socket) => void server.emit('connection', socket)),
  );
  await Promise.all(more.map((one) => listenOn(one, bound, isShared)));
  return { close: async () => void (await Promise.all(more.map(closeOne))) };
};

/**
 * Rejects when another program listens at a port: sockets that share one would do so with those of any program of this user, which
 * nobody wants.
 */
export const requireFreePort = async (address: ListenAddress): Promise<void> => {
  const server = createServer();
  await listenOn(server, address, false);
  await closeOne(server);
};

const listenOn = (server: Server, { host, port }: ListenAddress, reusePort: boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, reusePort, backlog: listenLimits.backlog }, () => {
      server.off('error', reject);
      resolve();
    });
  });

const closeOne = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
