import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientOf, isLoopback } from '../../lib/ip-address.ts';
import { createRecentMap } from '../../lib/memory.ts';

const shunnedMax = 10_000;

/** A connection of the HTTP server. */
export interface Connection {
  socket: Socket;
  /** Null if it is not counted by client. */
  client: string | null;
  /** Whether one of its requests is being handled. */
  isBusy: boolean;
  /** Requests that arrived before the response to the previous one was finished. */
  waiting: [IncomingMessage, ServerResponse][];
  /** The last request whose response was finished. */
  answered: IncomingMessage | null;
  /** The time at which that response was finished; before the first one, the time at which the connection was opened. */
  answeredMs: number;
  /** Whether that response was for a client without a key or session. */
  isStranger: boolean;
  /** Whether that response was large and for a stranger, who may not have read it: the operating system buffers it in any case. */
  mayBeUnread: boolean;
  /** The bytes that waited for the client when their number last changed, and when that was seen. */
  unread: number;
  unreadSinceMs: number;
}

/** The limits of a room. */
export interface RoomOptions {
  connectionsMax: number;
  /** Returns whether an address belongs to a proxy with many clients. */
  isProxy(remoteAddress: string): boolean;
}

/** The open connections. If the limit is reached, the connection that has been idle longest is closed for a new one. */
export class ConnectionRoom {
  readonly #connections = new Map<Socket, Connection>();
  readonly #byClient = new Map<string, number>();
  /**
   * In the order in which connections joined them. Connections that never sent a request are closed first, and then those of clients
   * without a key or session.
   */
  readonly #silent = new Set<Connection>();
  readonly #strangers = new Set<Connection>();
  readonly #idle = new Set<Connection>();
  readonly #shunnedUntil = createRecentMap<number>(shunnedMax);
  readonly #connectionsMax: number;
  readonly #isProxy: RoomOptions['isProxy'];

  constructor({ connectionsMax, isProxy }: RoomOptions) {
    this.#connectionsMax = connectionsMax;
    this.#isProxy = isProxy;
  }

  /** Admits a connection, or ends it. */
  enter(socket: Socket): void {
    const client = this.#clientOf(socket);
    if (this.#isShunned(client) || !this.#hasRoom(client)) return void socket.destroy();
    const connection: Connection = {
      socket,
      client,
      isBusy: false,
      waiting: [],
      answered: null,
      answeredMs: performance.now(),
      isStranger: true,
      mayBeUnread: false,
      unread: 0,
      unreadSinceMs: 0,
    };
    this.#connections.set(socket, connection);
    this.#silent.add(connection);
    if (client !== null) this.#byClient.set(client, (this.#byClient.get(client) ?? 0) + 1);
    socket.once('close', () => this.#leave(connection));
  }

  find(socket: Socket): Connection | undefined {
    return this.#connections.get(socket);
  }

  /** Counts a connection no longer. */
  leave(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection) this.#leave(connection);
  }

  /** Marks a connection as busy. A busy connection is never closed for a new one. */
  occupy(connection: Connection): void {
    connection.isBusy = true;
    this.#forget(connection);
  }

  /** Marks a connection as idle. It may be closed for a new one. */
  rest(connection: Connection): void {
    connection.isBusy = false;
    (connection.isStranger ? this.#strangers : this.#idle).add(connection);
  }

  /** Admits no connection of its client for a moment. */
  shun({ client }: Connection): void {
    if (client !== null) this.#shunnedUntil.set(client, performance.now() + connectionLimits.shunnedMs);
  }

  connections(): Iterable<Connection> {
    return this.#connections.values();
  }

  silent(): Iterable<Connection> {
    return this.#silent;
  }

  #clientOf({ remoteAddress = '' }: Socket): string | null {
    const isExempt = connectionLimits.loopbackExempt && isLoopback(remoteAddress);
    return isExempt || this.#isProxy(remoteAddress) ? null : clientOf(remoteAddress);
  }

  #isShunned(client: string | null): boolean {
    return client !== null && (this.#shunnedUntil.get(client) ?? 0) > performance.now();
  }

  #hasRoom(client: string | null): boolean {
    const ofClient = client === null ? 0 : (this.#byClient.get(client) ?? 0);
    if (ofClient >= connectionsPerClient(this.#connectionsMax)) return false;
    if (this.#connections.size < this.#connectionsMax) return true;
    const [longest] = [this.#silent, this.#strangers, this.#idle].find(({ size }) => size > 0) ?? [];
    if (!longest) return false;
    this.#leave(longest);
    longest.socket.destroy();
    return true;
  }

  #leave(connection: Connection): void {
    const { socket, client } = connection;
    if (!this.#connections.delete(socket)) return;
    this.#forget(connection);
    if (client === null) return;
    const left = (this.#byClient.get(client) ?? 0) - 1;
    if (left > 0) this.#byClient.set(client, left);
    else this.#byClient.delete(client);
  }

  #forget(connection: Connection): void {
    for (const waiting of [this.#silent, this.#strangers, this.#idle]) waiting.delete(connection);
  }
}

/** The limits of connections. Anything beyond them is refused or ended. */
export const connectionLimits = {
  /** The most connections, however many descriptors there are. */
  connectionsMax: 20_000,
  /** The fewest, however few descriptors there are. */
  connectionsMin: 16,
  /** Descriptors kept for threads, files and a pool to Postgres. */
  descriptorsKept: 96,
  /** The share of all descriptors that is kept for mail (a quarter) and for requests to webhooks (an eighth). */
  descriptorsKeptPart: 3 / 8,
  /**
   * The most connections of one client (an IPv4 address, or an IPv6 network of 64 bits). If there are few in all, `perClientPart` of them.
   */
  perClientMax: 1_000,
  perClientPart: 1 / 4,
  /** Whether clients on this machine are exempt, since one may be a proxy that is not configured. */
  loopbackExempt: true,
  /** Requests of one connection that wait for their responses. */
  pipelinedMax: 32,
  /** The time for which a client that exceeded `pipelinedMax` cannot open a connection. */
  shunnedMs: 1_000,
  /** The time for which bytes can wait for a client that reads none of them. */
  unreadMs: 30_000,
  /** How long a connection may be without a request. Node ends a connection that sends nothing at all sooner. */
  idleMs: 90_000,
  /** The time limit for the rest of a request after its response. */
  restMs: 10_000,
  lookEveryMs: 5_000,
};

/** Returns how many connections a process with this many descriptors takes. */
export function connectionsFor(descriptors: number): number {
  const { connectionsMax, connectionsMin, descriptorsKept, descriptorsKeptPart } = connectionLimits;
  const kept = descriptorsKept + Math.ceil(descriptors * descriptorsKeptPart);
  return Math.max(connectionsMin, Math.min(connectionsMax, descriptors - kept));
}

/** Returns how many of these connections one client may have. */
export function connectionsPerClient(connections: number): number {
  return Math.max(
    1,
    Math.min(connectionLimits.perClientMax, Math.floor(connections * connectionLimits.perClientPart)),
  );
}
