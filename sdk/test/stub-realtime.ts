import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { type ClientOptions, type Event, Postrider } from '../src/index.ts';
import { sampleEvent } from '../src/testing.ts';

const workspace_id = 'wsp_1';

function asBlock(event: Event): string {
  return `id: ${event.id}\nevent: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** A server with an event log, which it answers as `GET /events`, by pages and streams, and sends over sockets as `GET /realtime`. */
export class StubRealtime {
  /** The refusal for sockets and polls; null while they are accepted. */
  refuseSockets: number | null = null;
  refusePolls: { status: number; error: string } | null = null;
  /** Whether sockets stay open and bring nothing. */
  isMute = false;
  /** Where it is, once it is open. */
  baseURL = '';
  /** The sockets that are open. */
  readonly sockets = new Set<WebSocket>();
  /** The streams of server-sent events that are open. */
  readonly streams = new Set<ServerResponse>();
  /** The requests that came: `POLL`, `STREAM` or `SOCKET`, and the query. */
  readonly seen: string[] = [];
  readonly #log: Event[] = [];
  readonly #upgrades = new WebSocketServer({ noServer: true, handleProtocols: () => 'postrider.v1' });
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  #isOver = false;

  /** Opens the server for one test and gives a client of it. */
  async open(options: ClientOptions = {}): Promise<Postrider> {
    this.#server.on('upgrade', (...upgrade) => this.#upgrade(...upgrade));
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      this.#isOver = true;
      for (const socket of this.sockets) socket.terminate();
      this.#server.closeAllConnections();
      this.#server.close();
    });
    const { port } = this.#server.address() as AddressInfo;
    this.baseURL = `http://127.0.0.1:${port}/v1`;
    return new Postrider({ apiKey: 'pr_test_key', baseURL: this.baseURL, maxRetries: 0, ...options });
  }

  /** Adds events to the log, which go over the sockets that are open. */
  add(count = 1, subject = ''): string[] {
    return Array.from({ length: count }, () => {
      const id = `evt_${String(this.#log.length + 1).padStart(5, '0')}`;
      const event = sampleEvent('message.received', { id, message: { subject } });
      this.#log.push(event);
      if (!this.isMute) {
        for (const socket of this.sockets) socket.send(JSON.stringify(event));
        for (const stream of this.streams) stream.write(asBlock(event));
      }
      return id;
    });
  }

  /** Closes all sockets and streams with this code. */
  closeAll(code: number): void {
    for (const socket of this.sockets) socket.close(code);
    for (const stream of this.streams)
      if (code === 1006) stream.destroy();
      else stream.end(code >= 4000 ? `event: end\ndata: {"code":${code}}\n\n` : '');
    this.streams.clear();
  }

  #upgrade(request: IncomingMessage, connection: Duplex, head: Buffer): void {
    const after = this.#note('SOCKET', request).get('after') ?? 'latest';
    const offered = request.headers['sec-websocket-protocol'];
    const isAllowed =
      offered === 'postrider.v1, bearer.pr_test_key' || offered === 'postrider.v1,bearer.pr_test_key';
    if (this.refuseSockets !== null || !isAllowed) {
      connection.end(
        `HTTP/1.1 ${this.refuseSockets ?? 401} No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
      );
      return;
    }
    this.#upgrades.handleUpgrade(request, connection, head, (socket) => {
      const missed = after === 'latest' ? [] : this.#behind(after);
      const data = { workspace_id, cursor: after === 'latest' ? (this.#log.at(-1)?.id ?? null) : after };
      socket.send(JSON.stringify({ event: 'connected', data }));
      if (!this.isMute) for (const event of missed) socket.send(JSON.stringify(event));
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  #stream(request: IncomingMessage, response: ServerResponse): void {
    const after = this.#note('STREAM', request).get('after') ?? '';
    if (this.refuseSockets !== null) return void response.writeHead(this.refuseSockets).end('{}');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`:\n\nid: ${after}\n\n`);
    if (!this.isMute) for (const event of this.#behind(after)) response.write(asBlock(event));
    this.streams.add(response);
    response.on('close', () => this.streams.delete(response));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.accept === 'text/event-stream') return this.#stream(request, response);
    const query = this.#note('POLL', request);
    const { status, error } = this.refusePolls ?? { status: 200, error: '' };
    response.writeHead(status, { 'content-type': 'application/json' });
    if (status !== 200)
      return void response.end(JSON.stringify({ error, message: 'No.', request_id: 'req_stub' }));
    const after = query.get('after') === 'latest' ? (this.#log.at(-1)?.id ?? '') : (query.get('after') ?? '');
    const endMs = performance.now() + Number(query.get('wait_seconds') ?? 0) * 1000;
    while (this.#behind(after).length === 0 && performance.now() < endMs && !this.#isOver) await sleep(5);
    const events = this.#behind(after).slice(0, 100);
    response.end(JSON.stringify({ events, next_cursor: events.at(-1)?.id ?? (after === '' ? null : after) }));
  }

  #note(kind: string, { url = '' }: IncomingMessage): URLSearchParams {
    const { search, searchParams } = new URL(url, 'http://api.test');
    this.seen.push(`${kind} ${search}`);
    return searchParams;
  }

  #behind(after: string): Event[] {
    return this.#log.filter(({ id }) => id > after);
  }
}
