/*
 * The listening sockets of a server. Node accepts one new connection of each in a turn of its loop, and the turns of a busy server are
 * long. If a client opened hundreds at once, all others would wait for seconds. So Linux spreads new connections over several sockets of
 * one port, and each turn accepts one of each.
 */

import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type ServerOpts } from 'node:net';

/** How many sockets listen on a port, and how many connections the system keeps for each until they are accepted. */
export const listenLimits = { sockets: 8, backlog: 4_096 };

/** The address to listen on; port 0 takes a free one. */
export interface ListenAddress {
  host: string;
  port: number;
}

/** The sockets in addition to the server's own. */
export interface MoreListeners {
  /** Stops accepting connections. Resolves once all of theirs have ended. */
  close(): Promise<void>;
}

/** `reusePort` came with Node 22.12 and 23.1. It spreads connections on Linux only. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const canSpread =
  process.platform === 'linux' &&
  (major > 23 || (major === 22 && minor >= 12) || (major === 23 && minor >= 1));

/**
 * Makes a server listen, with `options` for its connections. Rejects if the address is not available, also if another program listens there
 * that would share it.
 */
export async function listen(
  server: Server,
  { host, port }: ListenAddress,
  options: ServerOpts = {},
): Promise<MoreListeners> {
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
}

/**
 * Rejects if another program listens on a port. Sockets that share a port would also share it with any other program of this user, which
 * nobody wants.
 */
export async function requireFreePort(address: ListenAddress): Promise<void> {
  // A client that connects in this moment is not kept waiting, and does not keep the start waiting.
  const server = createServer((socket) => socket.destroy());
  await listenOn(server, address, false);
  await closeOne(server);
}

function listenOn(server: Server, { host, port }: ListenAddress, reusePort: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, reusePort, backlog: listenLimits.backlog }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function closeOne(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** Used if the system does not report a limit. Most systems give this to a program that asks for no more. */
const openFilesDefault = 1_024;

/** Returns how many files and connections this process may have open at once, according to the system. */
export function openFilesMax(limits: string = readLimits()): number {
  const soft = /^Max open files\s+(\S+)/m.exec(limits)?.[1];
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft ?? openFilesDefault);
}

/** Returns a share of the files that this process may have open, at least one. The rest is for its other work. */
export function shareOfOpenFiles(share: number): number {
  return Math.max(1, Math.floor(openFilesMax() * share));
}

/** Only Linux has this file. Node raises the limit as far as it may when it starts, so it does not change. */
function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
