/*
 * An endpoint for webhooks that can misbehave in every way that one knows of. It keeps each request as it came, whatever was
 * answered, so that a test can count what ever left the other side.
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
import { makeSelfSignedCertificate, type TlsCertificate } from '../../src/mail/smtp/tls-certificate.ts';
import { eventually } from './eventually.ts';

/** What a receiver does with a request: a status, or one of the ways to fail without one. */
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
  /** How many requests are being answered now, and how many there were at most. */
  open(): number;
  openMost(): number;
  /** How many connections were made. */
  connections(): number;
  /** Answers the next requests in this way, then as `always` says. */
  next(...answers: ReceiverAnswer[]): void;
  always(answer: ReceiverAnswer | ((request: ReceivedRequest) => ReceiverAnswer)): void;
  /** Shows another certificate from the next connection on. */
  present(certificate: TlsCertificate): void;
  /** Forgets requests and answers 204 again. */
  reset(): void;
  /** Resolves with all requests once there are so many. */
  waitFor(count: number, timeoutMs?: number): Promise<ReceivedRequest[]>;
  close(): Promise<void>;
}

/** A certificate for receivers of this machine, which nobody trusts that is not told to. */
export const makeLocalCertificate = (): TlsCertificate => makeSelfSignedCertificate('localhost', new Date());

/** Starts a receiver that answers 204 until told otherwise; by TLS where it is given a certificate. */
export const startWebhookReceiver = async (certificate?: TlsCertificate): Promise<WebhookReceiver> => {
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
    waitFor: (count, timeoutMs) =>
      eventually(`${count} requests`, async () => requests.length >= count && requests, timeoutMs, 5),
    close: async () => {
      ended.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

const openServer = async (listener: RequestListener, certificate?: TlsCertificate): Promise<Server> => {
  const server = certificate ? createTlsServer(certificate, listener) : createServer(listener);
  // A name may lead to it by either family.
  server.listen(0, certificate ? 'localhost' : '127.0.0.1');
  await once(server, 'listening');
  return server;
};

const readRequest = async (incoming: IncomingMessage): Promise<ReceivedRequest> => {
  const body = await buffer(incoming);
  return {
    at: performance.now(),
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers as Record<string, string>,
    body,
    event: JSON.parse(body.toString()) as ReceivedRequest['event'],
  };
};

const dripMs = 200;

const give = async (response: ServerResponse, answer: ReceiverAnswer, ended: AbortSignal): Promise<void> => {
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
};
