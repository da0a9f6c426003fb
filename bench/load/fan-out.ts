/*
 * Follows one workspace over many sockets and sends messages one after another. Prints how long after each response the sockets had its
 * event, as a line of JSON.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Postrider } from 'postrider';
import { WebSocket } from 'ws';

/** The workspace to follow, the number of sockets, and the number of events. */
export interface FanOut {
  origin: string;
  key: string;
  inboxId: string;
  sockets: number;
  events: number;
}

/** Milliseconds from the response to `POST /messages` to the frame at a socket. */
export interface FanOutResult {
  frames: number;
  p50Ms: number;
  p95Ms: number;
  /** The time until the last of the sockets had it, the median of all events. */
  lastMs: number;
}

const pauseMs = 50;

async function run({ origin, key, inboxId, sockets, events }: FanOut): Promise<FanOutResult> {
  const client = new Postrider({ apiKey: key, baseURL: `${origin}/v1` });
  const latencies: number[] = [];
  let got: (atMs: number) => void = () => {};
  const open = () =>
    new Promise<WebSocket>((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}` };
      const socket = new WebSocket(`${origin.replace('http', 'ws')}/v1/realtime`, { headers });
      socket.once('message', () => {
        socket.on('message', () => got(performance.now()));
        resolve(socket);
      });
      socket.once('error', reject);
    });
  const opened = await Promise.all(Array.from({ length: sockets }, open));
  const lasts: number[] = [];
  for (let event = 0; event < events; event++) {
    const times: number[] = [];
    const all = new Promise<void>((resolve) => {
      got = (atMs) => void (times.push(atMs) === sockets && resolve());
    });
    await client.messages.send({
      inbox_id: inboxId,
      to: ['ada@remote.example'],
      subject: `Event ${event}`,
      text: 'x',
    });
    const answeredMs = performance.now();
    await all;
    const late = times.map((atMs) => Math.max(0, atMs - answeredMs));
    latencies.push(...late);
    lasts.push(Math.max(...late));
    await sleep(pauseMs);
  }
  for (const socket of opened) socket.terminate();
  const at = (values: number[], share: number) =>
    values.sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
  return {
    frames: latencies.length,
    p50Ms: at(latencies, 0.5),
    p95Ms: at(latencies, 0.95),
    lastMs: at(lasts, 0.5),
  };
}

console.log(JSON.stringify(await run(JSON.parse(process.argv[2] ?? '{}') as FanOut)));
