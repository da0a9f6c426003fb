/*
 * Asks an API every 5 ms whether it still responds, in its own thread, and records the longest time that it had to wait. The thread that
 * started it posts any message to get that time and to begin again.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Pool } from 'undici';

const { origin, key } = workerData as { origin: string; key: string };
const everyMs = 5;
const pool = new Pool(origin, { connections: 1 });
let worstMs = 0;
let askedAt: number | null = null;

async function ask() {
  askedAt = performance.now();
  const headers = { authorization: `Bearer ${key}` };
  const { statusCode, body } = await pool.request({ method: 'GET', path: '/v1/inboxes', headers });
  await body.dump();
  if (statusCode !== 200) throw new Error(`The probe was answered ${statusCode}.`);
  worstMs = Math.max(worstMs, performance.now() - askedAt);
  askedAt = null;
}

setInterval(() => {
  if (askedAt === null) void ask();
}, everyMs);

parentPort?.on('message', () => {
  const waitingMs = askedAt === null ? 0 : performance.now() - askedAt;
  parentPort?.postMessage(Math.max(worstMs, waitingMs));
  worstMs = 0;
});
