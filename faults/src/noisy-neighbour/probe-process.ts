/* The judged probe: `GET /v1/inboxes` every 20 ms, whether or not there was a response to the previous ones. */
import { Agent, get } from 'node:http';
import { answerParent } from './child.ts';
import { nowMs, summarizeWaits, type Waits } from './figures.ts';
import type { Target } from './target.ts';

/** The observations of the probe in a span of time. */
export interface ProbeReport extends Waits {
  /** The number of probes with a response other than 200, or without any. */
  failed: number;
  /** The number of failed probes by status or error code. */
  failures: Record<string, number>;
}

interface Sample {
  at: number;
  tookMs: number | null;
  outcome: string;
}

const everyMs = 20;
/** Enough connections for five seconds of probes, so that a probe waits for the server and not for another probe. */
const agent = new Agent({ keepAlive: true, maxSockets: 250 });
const samples: Sample[] = [];
let targets: Target[] = [];
let key = '';
let number = 0;

function probe(): void {
  const target = targets[number++ % targets.length];
  if (!target) return;
  const sample: Sample = { at: nowMs(), tookMs: null, outcome: 'no answer' };
  samples.push(sample);
  const end = (outcome: string) => {
    sample.tookMs = nowMs() - sample.at;
    sample.outcome = outcome;
  };
  const headers = { authorization: `Bearer ${key}` };
  get(`${target.url}/v1/inboxes`, { agent, headers }, (res) => {
    res.resume();
    res.once('end', () => end(String(res.statusCode)));
    res.once('error', () => end('broken answer'));
  }).once('error', (error: NodeJS.ErrnoException) => end(error.code ?? 'error'));
}

function report({ from, to }: { from: number; to: number }): ProbeReport {
  const seen = samples.filter(({ at }) => at >= from && at < to);
  const failures: Record<string, number> = {};
  for (const { outcome } of seen) if (outcome !== '200') failures[outcome] = (failures[outcome] ?? 0) + 1;
  const waits = seen
    .filter(({ outcome }) => outcome === '200' || outcome === 'no answer')
    .map(({ at, tookMs }) => tookMs ?? nowMs() - at);
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  return { ...summarizeWaits(waits), failed, failures };
}

answerParent({
  start: (plan: { targets: Target[]; key: string }) => {
    ({ targets, key } = plan);
    setInterval(probe, everyMs);
  },
  /** Returns how many probes of a span have no response yet. */
  open: ({ from, to }: { from: number; to: number }) =>
    samples.filter(({ at, tookMs }) => at >= from && at < to && tookMs === null).length,
  report,
});
