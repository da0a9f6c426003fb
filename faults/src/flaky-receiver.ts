import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A webhook endpoint that fails now and then, in the ways in which real ones do, and in the end accepts every event. */
export interface FlakyReceiver {
  url: string;
  /** The ids of the events to which it responded with 2xx. */
  ids: Set<string>;
  /** The number of requests, and how many of them failed. */
  requests: number;
  failures: number;
  close(): Promise<void>;
}

const failureShare = 0.2;
/** After more failures in a row, the next attempt would come too late for a trial. */
const failuresOfEventMax = 3;

/** Starts a receiver on a port of its own. */
export async function startFlakyReceiver(random: () => number): Promise<FlakyReceiver> {
  const receiver = { url: '', ids: new Set<string>(), requests: 0, failures: 0, close: async () => {} };
  const failed = new Map<string, number>();
  const fail = (req: IncomingMessage, res: ServerResponse) => {
    receiver.failures += 1;
    const way = random();
    if (way < 0.3) req.socket.destroy();
    else res.writeHead(way < 0.8 ? 500 : 302, { location: '/elsewhere' }).end();
  };
  const server = createServer(async (req, res) => {
    receiver.requests += 1;
    const event = (await json(req).catch(() => null)) as { id?: string } | null;
    const id = event?.id;
    if (id === undefined) return fail(req, res);
    const failures = failed.get(id) ?? 0;
    if (failures < failuresOfEventMax && random() < failureShare) {
      failed.set(id, failures + 1);
      return fail(req, res);
    }
    receiver.ids.add(id);
    res.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
  receiver.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return receiver;
}
