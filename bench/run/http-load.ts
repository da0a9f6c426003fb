import { Pool } from 'undici';
import { percentile } from '../measure/statistics.ts';

/** Requests that are made over and over for some time. */
export interface HttpLoad {
  /** Scheme, host and port. */
  origin: string;
  key: string;
  connections: number;
  seconds: number;
  /** Returns the next request. */
  next(): { method: 'GET' | 'POST'; path: string; body?: string };
  /** Whether a response is as expected. Without it, every 2xx is. */
  isRight?(answer: unknown): boolean;
}

/** The outcome of a load. */
export interface HttpLoadResult {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** Makes requests to a server over several connections at once. Rejects if any request does not succeed. */
export async function sendRequests(load: HttpLoad): Promise<HttpLoadResult> {
  const pool = new Pool(load.origin, { connections: load.connections, pipelining: 1 });
  const headers = { authorization: `Bearer ${load.key}`, 'content-type': 'application/json' };
  const latencies: number[] = [];
  const from = performance.now();
  const deadline = from + load.seconds * 1_000;
  const caller = async () => {
    for (let start = from; start < deadline; start = performance.now()) {
      const { statusCode, body } = await pool.request({ ...load.next(), headers });
      if (statusCode >= 300) throw new Error(`${load.origin} answered ${statusCode}: ${await body.text()}`);
      if (!load.isRight) await body.dump();
      else checkAnswer(await body.json(), load.isRight);
      latencies.push(performance.now() - start);
    }
  };
  try {
    await Promise.all(Array.from({ length: load.connections }, caller));
    const seconds = (performance.now() - from) / 1_000;
    return {
      perSecond: latencies.length / seconds,
      p50Ms: percentile(latencies, 0.5),
      p99Ms: percentile(latencies, 0.99),
    };
  } finally {
    await pool.destroy();
  }
}

/** Returns the figures of a load in a few words. */
export function describeLoad({ perSecond, p50Ms, p99Ms }: HttpLoadResult): string {
  return `${perSecond.toFixed(0)}/s (p50 ${p50Ms.toFixed(1)}, p99 ${p99Ms.toFixed(1)} ms)`;
}

function checkAnswer(answer: unknown, isRight: (answer: unknown) => boolean): void {
  if (!isRight(answer)) throw new Error(`Not what was asked for: ${JSON.stringify(answer)}`);
}
