import type { Writable } from 'node:stream';
import { brand, RealtimeQuery } from '@postrider/contract';
import type { Request, RequestHandler, Response } from 'express';
import { WebSocket, WebSocketServer } from 'ws';
import { type Context, contextOf } from '../context.ts';
import { invalidField } from '../lib/api-error.ts';
import { admitChannel, readQuery } from './admit-channel.ts';
import type { EventChannel } from './event-channel.ts';
import type { SocketHub } from './socket-hub.ts';

const protocol = brand.realtime.subprotocol;
const sentBytesMax = 1_024;
/** The time for which a client can read why its socket is closed. */
export const socketWaits = { closeWithinMs: 10_000 };
/** As in RFC 6455, section 7.4.1. */
const policyViolation = 1_008;
const headersOfUpgrade = /^(x-request-id|ratelimit-.*)$/;
const asText = { binary: false };

/**
 * Responds to `GET /realtime`: checks the request like any other, opens the socket, and lets it follow the log of the caller's
 * workspace. Bytes that arrived with the request are in `res.locals.upgradeHead`, which only an upgrade request has.
 */
export function openSocket(hub: SocketHub): RequestHandler {
  const server = createHandshakes();
  return async (req, res) => {
    const ctx = contextOf(res);
    const head = res.locals.upgradeHead as Buffer | undefined;
    if (!head)
      throw invalidField('', 'is for WebSocket clients, but the request has no "Upgrade: websocket" header');
    await admitChannel(ctx, hub, readQuery(RealtimeQuery, req), () => {
      const socket = shakeHands(server, req, res, head);
      if (!socket) return null;
      refuseFrames(ctx, socket);
      return socketChannel(socket, req.socket);
    });
  };
}

function createHandshakes(): WebSocketServer {
  const options = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: sentBytesMax,
    closeTimeout: socketWaits.closeWithinMs,
    handleProtocols: () => protocol,
  };
  const server = new WebSocketServer(options);
  server.on('headers', (headers, req) => {
    const { res } = req as Request;
    for (const [name, value] of Object.entries(res?.getHeaders() ?? {}))
      if (headersOfUpgrade.test(name)) headers.push(`${name}: ${value}`);
  });
  return server;
}

/**
 * Upgrades the connection. Returns null if the client has already disconnected.
 *
 * @throws ApiError `invalid_request` if the request is not a handshake of RFC 6455, or names only unknown subprotocols.
 */
function shakeHands(server: WebSocketServer, req: Request, res: Response, head: Buffer): WebSocket | null {
  const offered = req.headers['sec-websocket-protocol']?.split(',').map((name) => name.trim());
  if (offered && !offered.includes(protocol))
    throw invalidField('sec-websocket-protocol', `must name ${protocol} where it names any`);
  const outcome: { socket: WebSocket | null; refusal: Error | null } = { socket: null, refusal: null };
  const refuse = (refusal: Error) => {
    outcome.refusal = refusal;
  };
  server.once('wsClientError', refuse);
  server.handleUpgrade(req, req.socket, head, (socket) => {
    outcome.socket = socket;
  });
  server.off('wsClientError', refuse);
  if (outcome.refusal) throw invalidField('', outcome.refusal.message);
  if (outcome.socket) res.detachSocket(req.socket);
  return outcome.socket;
}

function refuseFrames({ log, requestId }: Context, socket: WebSocket): void {
  socket.on('message', () => socket.close(policyViolation, 'Nothing is read here.'));
  socket.on('error', (error) => log.debug({ err: error, requestId }, 'a socket failed'));
}

/**
 * Returns the channel of a socket. A ping is sent after the waiting bytes, so a client that reads some of them counts as alive, and its
 * pong says that it has received them.
 */
export function socketChannel(
  socket: WebSocket,
  connection: Pick<Writable, 'cork' | 'uncork'>,
): EventChannel {
  /** The bytes that were waiting at the last ping; null once it was answered. */
  let waited: number | null = null;
  socket.on('pong', () => {
    waited = null;
  });
  return {
    kind: 'socket',
    get isOpen() {
      return socket.readyState === WebSocket.OPEN;
    },
    get waitingBytes() {
      return socket.bufferedAmount;
    },
    begin: (workspace_id, cursor) =>
      socket.send(JSON.stringify({ event: 'connected', data: { workspace_id, cursor } })),
    send: (json) => socket.send(json, asText),
    beat: () => {
      // A closing socket has its own time limit.
      if (socket.readyState !== WebSocket.OPEN) return;
      if (waited !== null && socket.bufferedAmount >= waited) return socket.terminate();
      waited = socket.bufferedAmount;
      socket.ping();
    },
    whenSent: (then) => socket.ping('', false, () => then()),
    cork: () => connection.cork(),
    uncork: () => connection.uncork(),
    end: (code, meaning) => socket.close(code, meaning),
    cut: () => socket.terminate(),
    onceClosed: (then) => {
      if (socket.readyState === WebSocket.CLOSED) then();
      else socket.once('close', (code) => then(code));
    },
  };
}
