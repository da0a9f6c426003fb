import { asIssues, brand, type RealtimeQuery, RealtimeQuery as realtimeQuery } from '@postrider/contract';
import type { Request, RequestHandler, Response } from 'express';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Context, contextOf } from '../context.ts';
import { findPlace, type LogPlace } from '../events/read-log.ts';
import { getInbox } from '../inboxes/find-inbox.ts';
import { ApiError, invalidField, isApiError, unavailable } from '../lib/api-error.ts';
import type { SocketHub } from './socket-hub.ts';

const protocol = brand.realtime.subprotocol;
const sentBytesMax = 1_024;
/** For so long a client has time to read why its socket is closed. */
export const socketWaits = { closeWithinMs: 10_000 };
/** As in RFC 6455, section 7.4.1. */
const policyViolation = 1_008;
const headersOfUpgrade = /^(x-request-id|ratelimit-.*)$/;

/**
 * Responds to `GET /realtime`: checks the request like any other, opens the socket, and lets it follow the log of the caller's
 * workspace. Bytes that arrived with the request are in `res.locals.upgradeHead`, which only an upgrade request has.
 */
export function openSocket(hub: SocketHub): RequestHandler {
  const server = createHandshakes();
  return async (req, res) => {
    const ctx = contextOf(res);
    const head = res.locals.upgradeHead as Buffer | undefined;
    if (!head) throw invalidField('', 'is for WebSocket clients: it has no "Upgrade: websocket"');
    const query = readQuery(req);
    const leave = hub.enter(ctx);
    const opened = await open(ctx, query, () => shakeHands(server, req, res, head)).catch(
      (error: unknown) => {
        leave();
        throw error;
      },
    );
    if (!opened) return leave();
    const { socket, from } = opened;
    watch(ctx, socket, leave);
    const filters = { events: query.events, inbox_id: query.inbox_id, inbox_ids: ctx.scope.inboxIds };
    hub.follow(ctx, { socket, connection: req.socket }, { filters, from });
  };
}

/** Checks whether the socket may be opened, and opens it at once. Returns null if the client is gone already. */
async function open(
  ctx: Context,
  query: RealtimeQuery,
  handshake: () => WebSocket | null,
): Promise<{ socket: WebSocket; from: LogPlace | null } | null> {
  if (query.inbox_id !== undefined) await getInbox(ctx, query.inbox_id, 'inbox_id');
  const from = await findStart(ctx, query);
  // A stopping server closes the sockets that are open when it begins to stop.
  if (ctx.stopping.aborted) throw unavailable();
  const socket = handshake();
  return socket && { socket, from };
}

function readQuery({ query }: Request): RealtimeQuery {
  const read = realtimeQuery.safeParse(query);
  if (!read.success) throw new ApiError('invalid_request', { issues: asIssues(read.error.issues) });
  return read.data;
}

/** Returns null if `after` is too old, since a browser can read a close code but not the status of a handshake. */
async function findStart(ctx: Context, { after = 'latest' }: RealtimeQuery): Promise<LogPlace | null> {
  try {
    return await findPlace(ctx, after);
  } catch (error) {
    if (isApiError(error, 'cursor_expired')) return null;
    throw error;
  }
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
 * Upgrades the connection. Returns null if the client is gone already.
 *
 * @throws ApiError `invalid_request` if the request is no handshake of RFC 6455, or names only unknown subprotocols.
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

/** Gives the place back with the socket, which is only written to. */
function watch(ctx: Context, socket: WebSocket, leave: () => void): void {
  const from = performance.now();
  const { requestId } = ctx;
  ctx.metrics.sockets.inc();
  ctx.log.info({ requestId }, 'a socket was opened');
  socket.on('message', () => socket.close(policyViolation, 'Nothing is read here.'));
  socket.on('error', (error) => ctx.log.debug({ err: error, requestId }, 'a socket failed'));
  socket.once('close', (code) => {
    leave();
    ctx.metrics.sockets.dec();
    ctx.log.info(
      { requestId, code, durationMs: Math.round(performance.now() - from) },
      'a socket was closed',
    );
  });
}
