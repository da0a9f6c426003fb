import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HonestClient } from './requests.ts';

/** A program that follows the events of the honest tenant in one of the ways that the API offers. */
export interface Follower {
  name: string;
  /** How often each event came. */
  had: Map<string, number>;
  /** The times from an event to its arrival, in ms. */
  waits: number[];
  stop(): Promise<void>;
}

/** An event as it arrives. */
export interface FollowedEvent {
  id: string;
  event: string;
  created_at: string;
}

const retryMs = 200;

function begin(name: string): Follower & { take(event: FollowedEvent): void } {
  const had = new Map<string, number>();
  const waits: number[] = [];
  return {
    name,
    had,
    waits,
    take: ({ id, created_at }) => {
      had.set(id, (had.get(id) ?? 0) + 1);
      waits.push(Date.now() - Date.parse(created_at));
    },
    stop: async () => {},
  };
}

/** Follows by long polls. */
export function followByPolls(client: HonestClient, from: string): Follower {
  const follower = begin('long poll');
  let isOver = false;
  const run = async () => {
    for (let after = from; !isOver; ) {
      const { status, body } = await client.request('GET', `/events?after=${after}&limit=100&wait_seconds=2`);
      if (status !== 200) {
        await sleep(retryMs);
        continue;
      }
      for (const event of body.events as FollowedEvent[]) follower.take(event);
      after = String(body.next_cursor ?? after);
    }
  };
  const running = run();
  follower.stop = async () => {
    isOver = true;
    await running;
  };
  return follower;
}

/** Follows by a socket, which resumes after the last event that it had. */
export function followBySocket(client: HonestClient, from: string): Follower {
  const follower = begin('socket');
  let isOver = false;
  let last = from;
  let socket: WebSocket;
  const open = () => {
    const url = `${client.target().url.replace(/^http/, 'ws')}/v1/realtime?after=${last}`;
    socket = new WebSocket(url, ['postrider.v1', `bearer.${client.key}`]);
    socket.onmessage = ({ data }) => {
      const frame = JSON.parse(String(data)) as FollowedEvent;
      if (frame.event === 'connected') return;
      last = frame.id;
      follower.take(frame);
    };
    socket.onclose = () => {
      if (!isOver) setTimeout(open, retryMs);
    };
  };
  open();
  follower.stop = async () => {
    isOver = true;
    socket.close();
  };
  return follower;
}

/** Receives webhooks, and responds to each at once. */
export async function followByWebhook(client: HonestClient): Promise<Follower> {
  const follower = begin('webhook');
  const server = createServer(async (req, res) => {
    const event = (await json(req).catch(() => null)) as FollowedEvent | null;
    if (event) follower.take(event);
    res.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
  await client.insist('POST', '/webhooks', { url, events: ['message.received'] });
  follower.stop = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return follower;
}
