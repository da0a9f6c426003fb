import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../../run/start-server.ts';

const lookMs = 1_000;
/** The server updates these figures every ten seconds. */
const steadyMs = 21_000;
const waitMs = 15 * 60_000;
const gauges = /^postrider_(?:search|embedding)\w*_(?:pending|backfill)\w*(?:\{[^}]*\})? (\S+)$/gm;

/** Waits until nothing waits to be indexed, by the metrics of the server. */
export async function untilIndexed({ origin }: Pick<Server, 'origin'>): Promise<void> {
  const deadline = performance.now() + waitMs;
  let zeroSince: number | null = null;
  while (zeroSince === null || performance.now() - zeroSince < steadyMs) {
    if (performance.now() > deadline) throw new Error('The index was not complete after 15 minutes.');
    await sleep(lookMs);
    const text = await (await fetch(`${origin}/metrics`)).text();
    const left = [...text.matchAll(gauges)].reduce((sum, [, value]) => sum + Number(value), 0);
    zeroSince = left > 0 ? null : (zeroSince ?? performance.now());
  }
}
