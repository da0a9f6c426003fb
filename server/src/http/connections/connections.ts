/*
 * The connections of the HTTP server. The requests of each are handled one after another. A connection without progress is ended, for
 * example when the client does not read a response, or does not send the rest of a request that already has its response. A request costs
 * one look-up, and one timer checks all connections.
 */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { isForStranger, isLarge } from '../callers.ts';
import { type Connection, ConnectionRoom, connectionLimits, type RoomOptions } from './connection-room.ts';

/** The connections of a server. */
export interface Connections {
  /** Counts a connection that the server does not have yet, as long as its first bytes are looked at. */
  enterEarly(socket: Socket): void;
  /** Counts it no longer, since the server has it now. */
  leaveEarly(socket: Socket): void;
  /** Ends connections that never sent anything, which Node does not count as idle, and those that the server does not have yet. */
  endSilent(): void;
  /** Stops checking connections. */
  leave(): void;
}

/** Makes a server accept connections within the limits and handle the requests of each in turn. */
export function limitConnections(server: Server, options: RoomOptions, handle: RequestListener): Connections {
  const room = new ConnectionRoom(options);
  const upgraded = new WeakSet<Socket>();
  const early = new Set<Socket>();
  server.on('connection', (socket: Socket) => room.enter(socket));
  server.on('request', inTurn(room, handle));
  server.on('upgrade', ({ socket }: IncomingMessage) => {
    // It still counts as a connection, and the code that takes it over ends it.
    const connection = room.find(socket);
    if (connection) room.occupy(connection);
    upgraded.add(socket);
  });
  const looking = setInterval(() => {
    const now = performance.now();
    for (const connection of room.connections())
      if (!upgraded.has(connection.socket) && isStuck(connection, now)) reset(connection.socket);
  }, connectionLimits.lookEveryMs).unref();
  const leaveEarly = (socket: Socket) => {
    if (early.delete(socket)) room.leave(socket);
  };
  return {
    enterEarly: (socket) => {
      early.add(socket);
      socket.once('close', () => leaveEarly(socket));
      room.enter(socket);
    },
    leaveEarly,
    endSilent: () => {
      for (const socket of early) socket.destroy();
      for (const { socket } of room.silent()) if (socket.bytesRead === 0) socket.destroy();
    },
    leave: () => clearInterval(looking),
  };
}

function inTurn(room: ConnectionRoom, handle: RequestListener): RequestListener {
  const begin = (connection: Connection, req: IncomingMessage, res: ServerResponse) => {
    room.occupy(connection);
    res.on('close', () => goOn(connection, req, res));
    handle(req, res);
  };
  const goOn = (connection: Connection, req: IncomingMessage, res: ServerResponse) => {
    const { socket, waiting } = connection;
    if (socket.destroyed) return;
    connection.answered = req;
    connection.answeredMs = performance.now();
    connection.isStranger = isForStranger(res);
    connection.mayBeUnread = connection.isStranger && isLarge(res);
    const next = waiting.shift();
    if (!next) return room.rest(connection);
    // In a separate turn, so that requests of others can run in between.
    setImmediate(() => {
      if (!socket.destroyed) begin(connection, ...next);
    });
  };
  return (req, res) => {
    const { socket } = req;
    const connection = room.find(socket);
    if (!connection || socket.destroyed) return void socket.destroy();
    if (!connection.isBusy) begin(connection, req, res);
    else if (connection.waiting.length < connectionLimits.pipelinedMax) connection.waiting.push([req, res]);
    else {
      room.shun(connection);
      endPipeline(socket);
    }
  };
}

/**
 * Ends a connection with more requests than it may have. Node creates an error for each of them, and 64 KB hold two thousand requests:
 * without stack traces that takes a few milliseconds instead of a hundred.
 */
function endPipeline(socket: Socket): void {
  let usual = 0;
  socket.prependOnceListener('close', () => {
    usual = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
  });
  socket.once('close', () => {
    Error.stackTraceLimit = usual;
  });
  socket.destroy();
}

/** Ends a connection. A reset immediately frees what the operating system buffers for the client, but a TLS socket has none. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

function isStuck(connection: Connection, now: number): boolean {
  const { socket, isBusy, answered, answeredMs } = connection;
  const isRestDue = !isBusy && answered !== null && !answered.complete;
  if (isRestDue && now - answeredMs >= connectionLimits.restMs) return true;
  // A proxy has read the responses that it does not forward, and reuses its connections.
  const mayBeUnread = connection.mayBeUnread && connection.client !== null;
  const idleMs = mayBeUnread ? connectionLimits.unreadMs : connectionLimits.idleMs;
  if (!isBusy && now - answeredMs >= idleMs) return true;
  const unread = countUnread(socket);
  if (unread !== connection.unread) {
    connection.unread = unread;
    connection.unreadSinceMs = now;
  }
  return unread > 0 && now - connection.unreadSinceMs >= connectionLimits.unreadMs;
}

/**
 * Returns the number of bytes that wait for a client in this process. `writableLength` does not change during a long response until all of
 * it was taken, so the bytes that the system has not taken yet are added. Node's own timeouts use them, too.
 */
function countUnread(socket: Socket): number {
  if (socket.writableLength === 0) return 0;
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null };
  return socket.writableLength + (handle?.writeQueueSize ?? 0);
}
