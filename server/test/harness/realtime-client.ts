import type { Event } from 'postrider';
import { WebSocket } from 'ws';
import { eventually } from './eventually.ts';

/** How a socket ended. */
export interface SocketEnd {
  code: number;
  reason: string;
}

/** A socket of a test, with everything that came over it. */
export interface RealtimeClient {
  socket: WebSocket;
  /** `data` of the first frame. */
  connected: { workspace_id: string; cursor: string | null };
  /** The frames after the first one. */
  events: Event[];
  ended: Promise<SocketEnd>;
  /** Resolves once so many events have come. */
  received(count: number, timeoutMs?: number): Promise<Event[]>;
  close(): Promise<SocketEnd>;
}

/** What a socket is opened with. */
export interface RealtimeRequest {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  protocols?: string[];
}

/** An answer that came instead of an upgrade. */
export interface RefusedUpgrade {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
}

const urlOf = (origin: string, query: Record<string, string> = {}) =>
  `${origin.replace(/^http/, 'ws')}/v1/realtime?${new URLSearchParams(query)}`;

/** Opens a socket at `http://host:port` and resolves with its first frame, or rejects with what came instead. */
export const openRealtime = async (
  origin: string,
  key: string | null,
  { query, headers = {}, protocols = [] }: RealtimeRequest = {},
): Promise<RealtimeClient> => {
  const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  const socket = new WebSocket(urlOf(origin, query), protocols, {
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
    received: async (count, timeoutMs) => {
      await eventually(`${count} events`, async () => events.length >= count, timeoutMs);
      return events;
    },
    close: () => {
      socket.close();
      return ended;
    },
  };
};

/** What is answered instead of an upgrade. */
export const refusalOfRealtime = async (opening: Promise<RealtimeClient>): Promise<RefusedUpgrade> => {
  const error = await opening.then(
    async (client) => {
      await client.close();
      throw new Error('The socket was opened.');
    },
    (thrown: Error & { refused?: RefusedUpgrade }) => thrown,
  );
  if (!error.refused) throw error;
  return error.refused;
};
