/*
 * A webhook endpoint that can misbehave in every known way. It keeps each request as it came, whatever the response was, so that a test can
 * count what ever left the other side.
 */
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeSelfSignedCertificate, type TlsCertificate } from '../../../server/src/tls/tls-certificate.ts';
import { eventually } from '../lib/eventually.ts';

/** The response of a receiver: a status, or one of the ways to fail without one. */
export type ReceiverAnswer =
  | number
  | { status: number; headers?: Record<string, string>; body?: string | Buffer; delayMs?: number }
  | 'hang'
  | 'reset'
  | 'cut body'
  | 'slow drip'
  | 'garbage';

/** A request as it came. */
export interface ReceivedRequest {
  at: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  /** The body as JSON. */
  event: { id: string; event: string; [field: string]: unknown };
}

/** A receiver on a free port of 127.0.0.1. */
export interface WebhookReceiver {
  url: string;
  requests: ReceivedRequest[];
  /** Returns the number of requests that have no complete response yet. `openMost` returns the most that there were. */
  open(): number;
  openMost(): number;
  /** Returns the number of connections so far. */
  connections(): number;
  /** Sets the responses to the next requests. Later ones get that of `always`. */
  next(...answers: ReceiverAnswer[]): void;
  always(answer: ReceiverAnswer | ((request: ReceivedRequest) => ReceiverAnswer)): void;
  /** Presents another certificate from the next connection on. */
  present(certificate: TlsCertificate): void;
  /** Forgets requests and responds with 204 again. */
  reset(): void;
  /** Resolves with all requests once there are `count`. */
  waitFor(count: number): Promise<ReceivedRequest[]>;
  close(): Promise<void>;
}

/** Creates a certificate for receivers on this machine. No client trusts it that is not told to. */
export function makeLocalCertificate(): TlsCertificate {
  return makeSelfSignedCertificate('localhost', new Date());
}

/** Starts a receiver that responds with 204 until told otherwise, over TLS if it has a certificate. */
export async function startWebhookReceiver(certificate?: TlsCertificate): Promise<WebhookReceiver> {
  const requests: ReceivedRequest[] = [];
  const queue: ReceiverAnswer[] = [];
  let always: ReceiverAnswer | ((request: ReceivedRequest) => ReceiverAnswer) = 204;
  let [open, openMost, connections] = [0, 0, 0];
  const ended = new AbortController();
  const listener: RequestListener = async (incoming, response) => {
    open += 1;
    openMost = Math.max(openMost, open);
    response.once('close', () => {
      open -= 1;
    });
    const request = await readRequest(incoming).catch(() => null);
    if (!request) return;
    requests.push(request);
    const answer = queue.shift() ?? (typeof always === 'function' ? always(request) : always);
    await give(response, answer, ended.signal).catch(() => response.destroy());
  };
  const server = await openServer(listener, certificate);
  server.on('connection', () => {
    connections += 1;
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: certificate ? `https://localhost:${port}/hooks` : `http://127.0.0.1:${port}/hooks`,
    requests,
    open: () => open,
    openMost: () => openMost,
    connections: () => connections,
    next: (...answers) => void queue.push(...answers),
    always: (answer) => {
      always = answer;
    },
    present: (other) => {
      if ('setSecureContext' in server) (server as TlsServer).setSecureContext(other);
    },
    reset: () => {
      requests.length = 0;
      queue.length = 0;
      always = 204;
      openMost = open;
    },
    waitFor: (count) =>
      eventually(`${count} requests`, async () => requests.length >= count && requests, { pauseMs: 5 }),
    close: async () => {
      ended.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function openServer(listener: RequestListener, certificate?: TlsCertificate): Promise<Server> {
  const server = certificate ? createTlsServer(certificate, listener) : createServer(listener);
  // The name may resolve to an address of either family.
  server.listen(0, certificate ? 'localhost' : '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function readRequest(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const body = await buffer(incoming);
  return {
    at: performance.now(),
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers as Record<string, string>,
    body,
    event: JSON.parse(body.toString()) as ReceivedRequest['event'],
  };
}

const dripMs = 200;

async function give(response: ServerResponse, answer: ReceiverAnswer, ended: AbortSignal): Promise<void> {
  if (answer === 'hang') return;
  if (answer === 'reset') return void response.socket?.resetAndDestroy();
  if (answer === 'garbage') return void response.socket?.end('This is not HTTP.\r\n\r\n');
  if (answer === 'cut body') {
    response.writeHead(200, { 'content-length': '1000' }).write('the beginning');
    await sleep(20);
    return void response.socket?.destroy();
  }
  if (answer === 'slow drip') {
    response.writeHead(200);
    while (!response.destroyed && !ended.aborted) {
      response.write('.');
      await sleep(dripMs);
    }
    return;
  }
  const {
    status,
    headers = {},
    body = '',
    delayMs = 0,
  } = typeof answer === 'number' ? { status: answer } : answer;
  if (delayMs > 0) await sleep(delayMs);
  response.writeHead(status, headers).end(body);
}
