/*
 * The most that a process can post: an undici Pool with 50 connections and one body of the usual size, signed once. It stores nothing. It
 * posts for some time and prints how many responses came a second.
 */
import { createHmac } from 'node:crypto';
import { Pool } from 'undici';

/** The posts to make, and for how long. */
export interface PostsLoad {
  port: number;
  connections: number;
  seconds: number;
  bytes: number;
}

const { port, connections, seconds, bytes } = JSON.parse(process.argv[2] ?? '{}') as PostsLoad;
const pool = new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 });
const body = Buffer.alloc(bytes, 'x');
const signature = `sha256=${createHmac('sha256', 'secret').update(body).digest('hex')}`;
const headers = {
  'content-type': 'application/json',
  'webhook-id': 'evt',
  'x-postrider-signature': signature,
};

let posted = 0;
const from = performance.now();
const deadline = from + seconds * 1_000;
async function poster() {
  while (performance.now() < deadline) {
    const answer = await pool.request({ path: '/baseline', method: 'POST', headers, body });
    await answer.body.dump();
    posted += 1;
  }
}
await Promise.all(Array.from({ length: connections }, poster));
console.log(JSON.stringify({ perSecond: (posted * 1_000) / (performance.now() - from) }));
await pool.destroy();
