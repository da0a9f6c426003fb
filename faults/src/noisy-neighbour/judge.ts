import type { Bound } from '../trial.ts';
import type { AttackReport } from './attack.ts';
import { fitSlope } from './figures.ts';
import type { HonestReport } from './honest-process.ts';
import type { ProbeReport } from './probe-process.ts';
import type { Watched } from './watch-server.ts';

/** The observations of one attack, from all processes. */
export interface Seen {
  probe: ProbeReport;
  honest: HonestReport;
  watched: Watched;
  /** The number of processes that ended by themselves. */
  ended: number;
  /** The last relevant output of an ended process. */
  lastWords: string;
  /** Whether the servers responded within a minute after the attack. */
  answersAfterwards: boolean;
  attacks: Record<string, AttackReport>;
}

/** An invariant with its value, and examples of what broke it. */
export interface Judgement {
  invariant: string;
  value: number;
  bound: Bound;
  examples: string[];
}

const mib = 1_048_576;
/** The first part of a long run, which fills caches and pools. */
const warmUpShare = 0.33;

/** The names of the invariants. */
export const names = {
  probeP99: "p99 of the honest tenant's GET /v1/inboxes in ms",
  probeLongest: 'longest of them in ms',
  probeFailed: 'of them not answered with 200',
  failures: 'other honest requests that failed',
  faults: 'answers of 500, to whomever',
  taken: 'longest wait of an honest mail for its 250 in ms',
  readable: 'longest wait from its 250 until it is listed in ms',
  events: 'p99 of the wait of an honest webhook, socket or poll for its event in ms',
  neverDone: 'honest mails and sends that were never taken, a minute later neither',
  lost: 'lost mails, sends and events',
  twice: 'mails, sends and events that came twice',
  memory: 'memory (RSS) in MB',
  ended: 'processes that ended',
  silent: 'servers that did not answer a minute later',
  idle: 'connections that did nothing for 120 s and are still open',
  largest: 'largest answer with more than one message in bytes',
  growth: 'growth of memory in MB a minute',
} as const;

/** The kind of a run: whether all attack at once rather than one or nobody, and whether it lasts for many minutes. */
export interface Attempt {
  isTogether: boolean;
  isLong: boolean;
}

/** Bounds of times in ms, of memory in MB, and of requests that fail. */
interface Bounds {
  probeP99: number;
  probeLongest: number;
  taken: number;
  readable: number;
  events: number;
  memory: number;
  failures: number;
}

/** The bounds while one workspace or one stranger attacks. Others must not notice it. */
const boundsOfOne: Bounds = {
  probeP99: 100,
  probeLongest: 500,
  taken: 2_000,
  readable: 2_000,
  events: 5_000,
  memory: 899,
  failures: 0,
};

/** The bounds while all attack at once on the same two cores. They may make others wait for seconds. */
const boundsOfAll: Bounds = {
  probeP99: 2_000,
  probeLongest: 5_000,
  taken: 10_000,
  readable: 30_000,
  events: 10_000,
  memory: 1_535,
  failures: 0,
};

type Line = [invariant: string, value: number, bound: Bound, examples?: string[]];

/** Returns the name of an invariant while all attack. Each name has one line in a report, so another bound needs another name. */
export function nameWhileAllAttack(name: string): string {
  return `${name}, while all attack`;
}

/** Judges one attempt. The growth of memory is judged only in a long one, because it takes many minutes to see. */
export function judge(seen: Seen, { isTogether, isLong }: Attempt): Judgement[] {
  const bounds = isTogether ? boundsOfAll : boundsOfOne;
  const bounded = (key: keyof Bounds, value: number, examples: string[] = []): Line => {
    const name = isTogether ? nameWhileAllAttack(names[key]) : names[key];
    return [name, value, { most: bounds[key] }, examples];
  };
  const { probe, honest, watched } = seen;
  const { mailAccounts, sendAccounts, eventAccounts } = honest;
  const accounts = [mailAccounts, sendAccounts, eventAccounts];
  const lost = accounts.flatMap((account) => account.lost);
  const twice = accounts.flatMap((account) => account.twice);
  const neverDone = honest.mailsNeverTaken + honest.sendsNeverAnswered;
  const failures = Object.entries(honest.failures);
  const told = [failures, ...Object.values(seen.attacks).map(({ counts }) => Object.entries(counts))];
  const faults = told.flat().filter(([name]) => name.endsWith(': 500'));
  const largest = Math.max(0, ...Object.values(seen.attacks).map(({ largestBytes }) => largestBytes));
  const made: Line[] = [
    bounded('probeP99', probe.p99),
    bounded('probeLongest', probe.longest),
    [names.probeFailed, probe.failed, { exactly: 0 }, Object.keys(probe.failures)],
    bounded(
      'failures',
      sum(failures),
      failures.map(([name]) => name),
    ),
    [names.faults, sum(faults), { exactly: 0 }, faults.map(([name]) => name)],
    bounded('taken', honest.taken.longest, Object.keys(honest.refusals)),
    bounded('readable', honest.readable.longest),
    bounded('events', eventsP99(honest)),
    [names.neverDone, neverDone, { exactly: 0 }],
    [names.lost, lost.length, { exactly: 0 }, lost],
    [names.twice, twice.length, { exactly: 0 }, twice],
    bounded('memory', watched.rssMb),
    [names.ended, seen.ended, { exactly: 0 }, seen.lastWords ? [seen.lastWords.slice(0, 100)] : []],
    [names.silent, seen.answersAfterwards || seen.ended > 0 ? 0 : 1, { exactly: 0 }],
    [names.idle, watched.idleConnections, { exactly: 0 }],
    [names.largest, largest, { most: 6 * mib }],
  ];
  if (isLong) made.push([names.growth, memoryGrowth(watched), { most: 3 }]);
  return made.map(([invariant, value, bound, examples = []]) => ({ invariant, value, bound, examples }));
}

/** Returns the longest p99 among the followers of the honest tenant's events. */
export function eventsP99({ events }: Pick<HonestReport, 'events'>): number {
  return Math.max(0, ...Object.values(events).map(({ p99 }) => p99));
}

/** Returns the growth of memory after the warm-up, in MB a minute. */
export function memoryGrowth({ samples }: Pick<Watched, 'samples'>): number {
  const warm = samples.slice(Math.floor(samples.length * warmUpShare));
  const slope = fitSlope(warm.map(({ at, rssMb }) => ({ x: at / 60_000, y: rssMb })));
  return Math.round(slope * 100) / 100;
}

/** Returns whether a value is within its bound. */
export function holds({ value, bound }: Pick<Judgement, 'value' | 'bound'>): boolean {
  if ('exactly' in bound) return value === bound.exactly;
  return 'most' in bound ? value <= bound.most : value >= bound.least;
}

function sum(counts: [name: string, count: number][]): number {
  return counts.reduce((total, [, count]) => total + count, 0);
}

/** The factor that shows the effect of a limit. A fast machine may stay within the bound even without a limit that a slow one needs. */
const timesWorse = 2;
/** A value below this share of its bound may be chance. */
const shareOfBoundMin = 0.25;

/**
 * Returns the invariants that are twice as bad without a limit as with all of them, on the same machine, by the medians of several rounds.
 */
export function worseThan(usual: Judgement[][], without: Judgement[][], among: string[]): string[] {
  return among.flatMap((name) => {
    const of = (rounds: Judgement[][]) =>
      rounds.flatMap((judgements) => judgements.filter(({ invariant }) => invariant === name));
    const [before, after] = [of(usual), of(without)];
    const bound = after[0]?.bound;
    // A comparison that breaks the bound itself shows nothing.
    if (!bound || !('most' in bound) || !before.every(holds)) return [];
    const [usually, then] = [medianValue(before), medianValue(after)];
    if (then < bound.most * shareOfBoundMin || then <= usually * timesWorse) return [];
    return [`${name}: ${usually} with the limit, ${then} without`];
  });
}

function medianValue(judgements: Judgement[]): number {
  return (
    judgements.map(({ value }) => value).toSorted((a, b) => a - b)[Math.floor(judgements.length / 2)] ?? 0
  );
}
