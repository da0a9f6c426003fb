/* Opens realtime sockets, prints a line of JSON once they are all open, and holds them until the process is ended. */
import { WebSocket } from 'ws';

/** The sockets to open. */
export interface IdleSockets {
  origin: string;
  /** One key for each workspace. */
  keys: string[];
  /** The number of sockets of each workspace. */
  each: number;
}

const atOnce = 50;

function open(origin: string, key: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/v1/realtime`, { headers });
    socket.once('message', () => resolve());
    socket.once('error', reject);
    socket.once('close', (code) => reject(new Error(`A socket was closed with ${code}.`)));
  });
}

const { origin, keys, each } = JSON.parse(process.argv[2] ?? '{}') as IdleSockets;
const from = performance.now();
const left = keys.flatMap((key) => Array.from({ length: each }, () => key)).values();
async function opener() {
  for (const key of left) await open(origin, key);
}
await Promise.all(Array.from({ length: atOnce }, opener));
console.log(JSON.stringify({ opened: keys.length * each, seconds: (performance.now() - from) / 1_000 }));
