import type { Event } from 'postrider';
import { WebSocket } from 'ws';
import { eventually } from '../lib/eventually.ts';

/** The end of a socket. */
export interface SocketEnd {
  code: number;
  reason: string;
}

/** A socket of a test, with everything that came over it. */
export interface RealtimeClient {
  socket: WebSocket;
  /** The `data` of the first frame. */
  connected: { workspace_id: string; cursor: string | null };
  /** The frames after the first one. */
  events: Event[];
  ended: Promise<SocketEnd>;
  /** Resolves once `count` events have come. */
  received(count: number): Promise<Event[]>;
  close(): Promise<SocketEnd>;
}

/** The options with which a socket is opened. */
export interface RealtimeRequest {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  protocols?: string[];
}

/** A response that came instead of an upgrade. */
export interface RefusedUpgrade {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
}

function makeUrl(origin: string, query: Record<string, string> = {}) {
  return `${origin.replace(/^http/, 'ws')}/v1/realtime?${new URLSearchParams(query)}`;
}

/**
 * Opens a socket at `http://host:port`. Resolves with the socket once it has its first frame, and rejects with the response if there was no
 * upgrade.
 */
export async function openRealtime(
  origin: string,
  key: string | null,
  { query, headers = {}, protocols = [] }: RealtimeRequest = {},
): Promise<RealtimeClient> {
  const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  const socket = new WebSocket(makeUrl(origin, query), protocols, {
    headers: { ...authorization, ...headers },
  });
  const frames: unknown[] = [];
  socket.on('message', (data, isBinary) => frames.push(isBinary ? data : JSON.parse(String(data))));
  const ended = new Promise<SocketEnd>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('message', () => resolve());
    socket.on('error', reject);
    socket.once('close', (code, reason) => reject(new Error(`The socket was closed: ${code} ${reason}`)));
    socket.once('unexpected-response', (_req, res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      res.once('end', () => {
        const refused: RefusedUpgrade = {
          status: res.statusCode ?? 0,
          headers: res.headers,
          body: JSON.parse(text),
        };
        reject(Object.assign(new Error(`The upgrade was answered ${res.statusCode}: ${text}`), { refused }));
      });
    });
  });
  const [{ data }] = frames.splice(0, 1) as [{ data: RealtimeClient['connected'] }];
  const events = frames as Event[];
  return {
    socket,
    connected: data,
    events,
    ended,
    received: async (count) => {
      await eventually(`${count} events`, async () => events.length >= count);
      return events;
    },
    close: () => {
      socket.close();
      return ended;
    },
  };
}

/** Returns the response that came instead of an upgrade. */
export async function refusalOfRealtime(opening: Promise<RealtimeClient>): Promise<RefusedUpgrade> {
  const error = await opening.then(
    async (client) => {
      await client.close();
      throw new Error('The socket was opened.');
    },
    (thrown: Error & { refused?: RefusedUpgrade }) => thrown,
  );
  if (!error.refused) throw error;
  return error.refused;
}
